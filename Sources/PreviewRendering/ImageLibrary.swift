import CVips

/// Starts libvips once for the process.
public enum ImageLibrary {
}

/// Fetches remote files into an attachment directory.
public final class Downloader: Sendable {
}

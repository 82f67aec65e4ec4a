import Glibc

/// The namespaces of networks and mounts, as far as they belong to a thread.
enum OwnNamespaces {
  /// Gives the calling thread a network, and files in place of those that tell where to ask for
  /// names; for good, and for all threads that it starts.
  ///
  /// - Returns: A descriptor of each namespace.
  /// - Throws: Where there is no privilege, or the machine is none of the usual.
  static func enter() throws(OriginError) -> (network: CInt, mounts: CInt) {
    try leave()
    guard mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else {
      throw OriginError(description: "mounts cannot be kept to a thread: errno \(errno)")
    }
    let files = try TemporaryFolder()
    try place("nameserver 127.0.0.1\n", at: "/etc/resolv.conf", from: files)
    // Where it is missing, the C library does the same.
    if access("/etc/nsswitch.conf", F_OK) == 0 {
      try place("hosts: files dns\n", at: "/etc/nsswitch.conf", from: files)
    }
    try startLoopback()
    let network = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
    let mounts = open("/proc/thread-self/ns/mnt", O_RDONLY | O_CLOEXEC)
    guard network >= 0, mounts >= 0 else {
      throw OriginError(description: "no way back to a namespace: errno \(errno)")
    }
    return (network, mounts)
  }

  private static func leave() throws(OriginError) {
    typealias Unshare = @convention(c) (CInt) -> CInt
    let (newMounts, newNetwork): (CInt, CInt) = (0x0002_0000, 0x4000_0000)
    guard let symbol = dlsym(nil, "unshare") else {
      throw OriginError(description: "the C library knows no namespaces")
    }
    // Invariant: this is unshare(2), `int unshare(int flags)`, which is declared for GNU sources
    // alone and so not seen from Swift.
    let unshare = unsafeBitCast(symbol, to: Unshare.self)
    guard unshare(newMounts | newNetwork) == 0 else {
      throw OriginError(description: "no privilege to make a network: errno \(errno)")
    }
  }

  private static func place(
    _ text: String,
    at path: String,
    from files: TemporaryFolder
  ) throws(OriginError) {
    let name = path.split(separator: "/").joined(separator: "-")
    let file = try files.write(Array(text.utf8), to: name)
    guard mount(file, path, nil, UInt(MS_BIND), nil) == 0 else {
      throw OriginError(description: "nothing can be mounted at \(path): errno \(errno)")
    }
  }

  private static func startLoopback() throws(OriginError) {
    let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var request = ifreq()
    // Invariant: the name's 16 bytes are zero, and "lo" is shorter.
    withUnsafeMutableBytes(of: &request.ifr_ifrn) { $0.copyBytes(from: "lo".utf8) }
    request.ifr_ifru.ifru_flags = CShort(IFF_UP)
    guard ioctl(descriptor, UInt(SIOCSIFFLAGS), &request) == 0 else {
      throw OriginError(description: "the loopback interface does not start: errno \(errno)")
    }
  }
}

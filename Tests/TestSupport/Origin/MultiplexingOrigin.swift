import Glibc

/// An origin that speaks HTTP/2 over TLS, as most do: nginx, with a folder and a port of its own.
///
/// Under `/` files are sent with their length, under `/coded/` in gzip, whose length nobody knows
/// beforehand.
public final class MultiplexingOrigin: Sendable {
  /// The authority that its certificate is signed by, as a file.
  public let certificateAuthorityPath = "\(OriginServer.Certificate.folder)/authority.pem"
  private let port: UInt16
  private let folder: TemporaryFolder
  private let server: RunningCommand

  /// Starts to serve files, each under its name.
  ///
  /// - Parameter files: Names and contents.
  /// - Throws: Where nginx does not listen in time.
  public init(_ files: [String: [UInt8]]) async throws(OriginError) {
    let folder = try TemporaryFolder()
    for (name, bytes) in files { try folder.write(bytes, to: "files/\(name)") }
    // Taken for a moment, to know one that is free.
    let taken = try LoopbackSocket.bound(to: "127.0.0.1", backlog: nil)
    close(taken.descriptor)
    let text = Self.configuration(port: taken.port, folder: folder.path)
    let path = try folder.write(Array(text.utf8), to: "configuration")
    server = try RunningCommand(
      "/usr/sbin/nginx",
      ["-p", folder.path, "-e", folder.path(of: "errors"), "-c", path],
      deadline: .seconds(60)
    )
    port = taken.port
    self.folder = folder
    for _ in 0..<500 where folder.read("pid")?.isEmpty ?? true {
      try? await Task.sleep(for: .milliseconds(10))
    }
    guard folder.read("pid")?.isEmpty == false else {
      let reason = String(decoding: folder.read("errors") ?? [], as: UTF8.self)
      throw OriginError(description: "nginx does not listen: \(server.errorOutputSoFar)\(reason)")
    }
  }

  /// The address of a file.
  ///
  /// - Parameters:
  ///   - name: Its name, and whatever is to follow.
  ///   - isCoded: Whether it is sent in gzip.
  /// - Returns: A URL of this origin.
  public func url(_ name: String, coded isCoded: Bool) -> String {
    "https://127.0.0.1:\(port)/\(isCoded ? "coded/" : "")\(name)"
  }

  /// Serves no more.
  public func stop() {
    server.send(SIGKILL)
  }

  private static func configuration(port: UInt16, folder: String) -> String {
    let certificate = "\(OriginServer.Certificate.folder)/good"
    return """
      daemon off;
      \(geteuid() == 0 ? "user root;" : "")
      worker_processes 1;
      pid \(folder)/pid;
      error_log \(folder)/errors crit;
      events { worker_connections 512; }
      http {
        access_log off;
        types { image/jpeg jpg; }
        client_body_temp_path \(folder)/body;
        proxy_temp_path \(folder)/proxy;
        fastcgi_temp_path \(folder)/fastcgi;
        uwsgi_temp_path \(folder)/uwsgi;
        scgi_temp_path \(folder)/scgi;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate \(certificate).pem;
          ssl_certificate_key \(certificate).key.pem;
          root \(folder)/files;
          http2_chunk_size 16k;
          location /coded/ {
            alias \(folder)/files/;
            gzip on;
            gzip_comp_level 1;
            gzip_types image/jpeg;
          }
        }
      }

      """
  }
}

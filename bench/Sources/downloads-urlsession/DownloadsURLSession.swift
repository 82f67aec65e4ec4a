import Foundation
import FoundationNetworking

/// The same list through URLSession: 16 downloads at once, each moved to its place.
@main
enum DownloadsURLSession {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 4, let width = Int(words[3]) else {
      FileHandle.standardError.write(Data("write: downloads-urlsession LIST FOLDER WIDTH\n".utf8))
      exit(64)
    }
    let addresses = try String(contentsOfFile: words[1], encoding: .utf8).split(separator: "\n")
    let folder = URL(fileURLWithPath: words[2], isDirectory: true)

    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = width
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let session = URLSession(configuration: configuration)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, address) in addresses.enumerated() {
        if index >= width { try await group.next() }
        group.addTask {
          guard let url = URL(string: String(address)) else { throw URLError(.badURL) }
          let (file, response) = try await session.download(from: url)
          guard let answer = response as? HTTPURLResponse, answer.statusCode == 200 else {
            throw URLError(.badServerResponse)
          }
          let target = folder.appendingPathComponent(url.lastPathComponent)
          try FileManager.default.moveItem(at: file, to: target)
        }
      }
      try await group.waitForAll()
    }
    exit(0)
  }
}

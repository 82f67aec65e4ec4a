import AttachmentModel
import Downloading
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
final class AttachmentDirectoryTests {
  private let parent: String

  init() throws {
    parent = NSTemporaryDirectory() + "affix-directory-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: parent)
  }

  private func entries(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
  }

  @Test func `the folder is private and goes with its owner`() throws {
    var directory: AttachmentDirectory? = try AttachmentDirectory(in: parent)
    let path = try #require(directory?.path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o700)
    _ = try directory?.store(SparseBytes([1, 2, 3]))
    directory = nil
    #expect(try entries(parent) == [])
  }

  @Test func `a living owner's folder survives another's start`() throws {
    let first = try AttachmentDirectory(in: parent)
    let second = try AttachmentDirectory(in: parent)
    #expect(try entries(parent).count == 2)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a dead owner's folder is swept at the next start`() throws {
    let dead = "\(parent)/.affix-dead"
    try FileManager.default.createDirectory(atPath: dead, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: "\(dead)/lock"))
    try Data([1]).write(to: URL(fileURLWithPath: "\(dead)/file-0"))
    let directory = try AttachmentDirectory(in: parent)
    #expect(try entries(parent) == [String(directory.path.split(separator: "/").last ?? "")])
  }

  @Test func `foreign folders are left alone`() throws {
    let foreign = "\(parent)/affix-foreign"
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: false)
    _ = try AttachmentDirectory(in: parent)
    #expect(try entries(parent) == ["affix-foreign"])
  }

  @Test(arguments: ["/", "/dev/null", "/nonexistent/file", "", "a\u{0}b"])
  func `only regular files are adopted`(path: String) throws {
    let directory = try AttachmentDirectory(in: parent)
    #expect(throws: DownloadError.self) { try directory.adopt(path) }
  }

  @Test func `a named pipe is refused at once`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let pipe = "\(parent)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: DownloadError.self) { try directory.adopt(pipe) }
  }

  @Test func `a stored file is kept by renaming, a local one by copying`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let stored = try directory.store(SparseBytes([1, 2, 3]))
    #expect(try directory.keep(stored, as: "kept.bin", in: "\(parent)/") == "\(parent)/kept.bin")
    #expect(FileManager.default.contents(atPath: "\(parent)/kept.bin") == Data([1, 2, 3]))

    let local = try directory.adopt("\(parent)/kept.bin")
    _ = try directory.keep(local, as: "copy.bin", in: parent)
    #expect(FileManager.default.contents(atPath: "\(parent)/kept.bin") == Data([1, 2, 3]))
    #expect(FileManager.default.contents(atPath: "\(parent)/copy.bin") == Data([1, 2, 3]))
    directory.remove()
    #expect(try entries(parent).sorted() == ["copy.bin", "kept.bin"])
  }

  @Test func `nothing is stored or kept once the folder is removed`() throws {
    let directory = try AttachmentDirectory(in: parent)
    let stored = try directory.store(SparseBytes([1]))
    directory.remove()
    for attempt in [
      { _ = try directory.store(SparseBytes([1])) },
      { _ = try directory.keep(stored, as: "kept.bin", in: self.parent) },
    ] {
      let error = #expect(throws: DownloadError.self) { try attempt() }
      #expect(error?.code == .cancelled)
    }
    #expect(try entries(parent) == [])
  }
}

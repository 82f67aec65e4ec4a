import ContentStore
import Cryptography
import Glibc
import TestSupport
import Testing

/// Files that their owner writes to no more are not copied.
@Suite(.timeLimit(.minutes(1)))
struct LinkingTests {
  private let bytes: [UInt8] = Array("a file that lies beside the store".utf8)

  /// Opens a file beside the store, for reading.
  private func file(_ place: StoreFolder, named name: String = "given") throws -> CInt {
    try place.folder.write(bytes, to: name)
    let file = open(place.folder.path(of: name), O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
    return file
  }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status
  }

  @Test(arguments: [true, false])
  func `a final file is linked, any other is copied`(isFinal: Bool) throws {
    let place = try StoreFolder()
    let store = try place.open()
    let file = try file(place)
    defer { close(file) }
    let size = Int64(bytes.count)
    try store.insert(fileDescriptor: file, sizeBytes: size, isFinal: isFinal, for: "a")
    #expect(place.contents == [place.name(of: bytes)])
    let given = try status(place.folder.path(of: "given"))
    let kept = try status(place.folder.path(of: place.name(of: bytes)))
    #expect((given.st_ino == kept.st_ino) == isFinal)
    #expect(kept.st_mode & 0o777 == 0o600)
    unlink(place.folder.path(of: "given"))
    #expect(try store.content(for: "a") == bytes)
  }

  @Test func `a file that is stored twice is kept once, and nothing else is left`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let file = try file(place)
    defer { close(file) }
    let size = Int64(bytes.count)
    try store.insert(fileDescriptor: file, sizeBytes: size, isFinal: true, for: "a")
    try store.insert(fileDescriptor: file, sizeBytes: size, isFinal: true, for: "b")
    #expect(place.contents == [place.name(of: bytes)])
    #expect(place.incoming == [])
    try store.remove(for: "a")
    #expect(try store.content(for: "b") == bytes)
  }

  @Test func `only the announced beginning of a final file is stored`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let file = try file(place)
    defer { close(file) }
    try store.insert(fileDescriptor: file, sizeBytes: 2, isFinal: true, for: "a")
    #expect(try store.content(for: "a") == Array(bytes.prefix(2)))
  }

  @Test func `a final file without a name is copied`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let file = try file(place)
    defer { close(file) }
    unlink(place.folder.path(of: "given"))
    let size = Int64(bytes.count)
    try store.insert(fileDescriptor: file, sizeBytes: size, isFinal: true, for: "a")
    #expect(try store.content(for: "a") == bytes)
  }

  @Test func `a final file on another file system is copied`() throws {
    let place = try StoreFolder()
    let store = try place.open()
    let path = "/dev/shm/affix-test-\(getpid())"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer {
      unlink(path)
      close(file)
    }
    let written = write(file, bytes, bytes.count)
    try #require(written == bytes.count)
    let size = Int64(bytes.count)
    try store.insert(fileDescriptor: file, sizeBytes: size, isFinal: true, for: "a")
    #expect(try store.content(for: "a") == bytes)
  }
}

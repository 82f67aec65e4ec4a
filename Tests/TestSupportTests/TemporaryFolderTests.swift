import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TemporaryFolderTests {
  @Test func `contents are listed in order and in depth`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.contents.isEmpty)
    try folder.write([1, 2], to: "b/c/d.bin")
    try folder.write([], to: "a")
    symlink("/etc", folder.path(of: "link"))
    #expect(folder.contents == ["a", "b/", "b/c/", "b/c/d.bin", "link"])
    #expect(folder.read("b/c/d.bin") == [1, 2])
    #expect(folder.read("nothing") == nil)
  }

  @Test func `the folder goes with everything in it`() throws {
    var path = ""
    do {
      let folder = try TemporaryFolder()
      path = folder.path
      try folder.write([1], to: "deep/er/file")
      #expect(access(path, F_OK) == 0)
    }
    #expect(access(path, F_OK) != 0)
  }

  @Test func `only its owner may look into it`() throws {
    let folder = try TemporaryFolder()
    var information = stat()
    #expect(lstat(folder.path, &information) == 0)
    #expect(information.st_mode & 0o777 == 0o700)
  }
}

import AttachmentModel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ByteCountTests {
  @Test(
    arguments: [
      ("300kB", 300_000), ("300KiB", 307_200), ("50MB", 50_000_000), ("1.5MB", 1_500_000),
      ("12", 12), ("0", 0), ("7b", 7), ("1gb", 1_000_000_000),
    ] as [(String, Int64)]
  )
  func `a size is read with its unit`(text: String, bytes: Int64) {
    #expect(ByteCount(text) == ByteCount(bytes))
  }

  @Test(arguments: ["", "kB", "-1", ".5MB", "1.2.3", "12 pounds", "1e9", "99999999999GB"])
  func `what is no size is refused`(text: String) {
    #expect(ByteCount(text) == nil)
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1,000 bytes"),
      (12_410_233, "12,410,233 bytes"),
    ] as [(Int64, String)]
  )
  func `an exact count has its thousands separated`(bytes: Int64, text: String) {
    #expect(ByteCount(bytes).exactly == text)
  }

  @Test(
    arguments: [
      (999, "999 B"), (1_000, "1 kB"), (12_410_233, "12.4 MB"), (300_000, "300 kB"),
      (1_550_000_000, "1.6 GB"),
    ] as [(Int64, String)]
  )
  func `a rounded count has three figures at most`(bytes: Int64, text: String) {
    #expect(ByteCount(bytes).rounded == text)
  }

  @Test(
    arguments: [
      (300_000, "300 kB"), (511_999, "511,999 bytes"), (1_048_576, "1,048,576 bytes"),
      (2_500_000, "2.5 MB"), (12, "12 B"),
    ] as [(Int64, String)]
  )
  func `a concise count is exact`(bytes: Int64, text: String) {
    #expect(ByteCount(bytes).concise == text)
  }
}

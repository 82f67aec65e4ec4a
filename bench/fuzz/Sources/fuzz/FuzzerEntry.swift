import Glibc

private let target = FuzzTarget.named(
  // Invariant: getenv's text is copied before anyone could change the environment.
  getenv("AFFIX_FUZZ_TARGET").map { String(cString: $0) } ?? "inspector"
)

/// The function that libFuzzer calls with each input.
///
/// - Parameters:
///   - data: The input; gone after the call.
///   - size: Its length.
/// - Returns: Zero: every input is welcome in the corpus.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  // Invariant: libFuzzer lends `size` bytes at `data` for the length of this call.
  target.feed(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}

/// libFuzzer's own mutations.
@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int) -> Int

/// The function by which libFuzzer makes a new input of an old one.
///
/// - Parameters:
///   - data: The old input, to be overwritten.
///   - size: Its length.
///   - limit: How much room there is.
///   - seed: A random number.
/// - Returns: The new input's length.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(
  _ data: UnsafeMutablePointer<UInt8>,
  _ size: Int,
  _ limit: Int,
  _ seed: CUnsignedInt
) -> Int {
  let length = mutate(data, size, limit)
  // Wrong checksums must turn up, too.
  guard seed % 8 != 0 else { return length }
  // Invariant: libFuzzer lends `limit` bytes at `data` for the length of this call, of which the
  // first `length` are the input.
  var bytes = Array(UnsafeBufferPointer(start: data, count: length))
  ChecksumRepair.repair(&bytes)
  data.update(from: bytes, count: length)
  return length
}

import AttachmentModel
import CVips
import Glibc
import Synchronization
import TimeBudgets

/// Feeds a run of bytes in an open file to libvips with `pread`.
///
/// Nothing is mapped: a file that another process cuts while it is decoded ends early, where a
/// mapping would kill this process with SIGBUS. The file's own offset is not moved. Once the
/// budget is spent every read fails, which ends decoders that do much work between two rows.
final class FileSource {
  /// What libvips calls back into; kept alive by the source itself, which may outlive its owner.
  private final class Cursor {
    let slice: FileSlice
    let size: Int
    let budget: TimeBudget
    /// libvips reads on threads of its own, one at a time, and hands over by locks of its own;
    /// this one says so to whoever looks for races, too.
    private let position = Mutex(0)

    init(_ slice: FileSlice, budget: TimeBudget) {
      self.slice = slice
      size = Int(max(0, min(slice.size.bytes, Int64.max - slice.offset)))
      self.budget = budget
    }

    // Invariant: libvips lends `wanted` bytes at `buffer` for the length of the call.
    func read(into buffer: UnsafeMutableRawPointer?, upTo wanted: Int) -> Int {
      guard let buffer, wanted > 0, !budget.isSpent else { return wanted == 0 ? 0 : -1 }
      let start = position.withLock { $0 }
      let count = min(wanted, size - start)
      guard count > 0 else { return 0 }
      while true {
        // Invariant: no more than the lent bytes are written, for count <= wanted.
        let got = pread(slice.descriptor, buffer, count, off_t(slice.offset) + off_t(start))
        if got >= 0 {
          position.withLock { $0 = start + got }
          return got
        }
        guard errno == EINTR else { return -1 }
      }
    }

    func seek(by offset: Int, from origin: CInt) -> Int {
      position.withLock { position in
        let start: Int
        switch origin {
        case SEEK_SET: start = 0
        case SEEK_CUR: start = position
        case SEEK_END: start = size
        default: return -1
        }
        let (target, overflow) = start.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return -1 }
        position = target
        return target
      }
    }
  }

  /// Gives back the retain that a signal holds.
  ///
  /// Invariant: called once for each signal, with the cursor that was retained for it.
  private static let release: affix_vips_release = { data, _ in
    data.map { Unmanaged<Cursor>.fromOpaque($0).release() }
  }

  /// The source in libvips' terms.
  ///
  /// Invariant: one reference to it is owned by this object, from `init` to `deinit`.
  let source: UnsafeMutablePointer<VipsSourceCustom>

  /// A source of bytes in a regular file.
  init(_ slice: FileSlice, budget: TimeBudget) throws(PictureError) {
    // libvips aborts when it is to copy an empty source into memory.
    guard slice.size > ByteCount(0) else { throw PictureError(words: "the file is empty") }
    guard let source = vips_source_custom_new() else {
      throw PictureError(words: "libvips made no source")
    }
    self.source = source
    let cursor = Cursor(slice, budget: budget)
    // Invariant: each signal holds one retain of the cursor, given back by `release` when the
    // source dies; libvips calls from one thread at a time while the caller waits.
    let read = Unmanaged.passRetained(cursor).toOpaque()
    affix_vips_on_read(
      source,
      { _, buffer, length, data in
        guard let data else { return -1 }
        return Unmanaged<Cursor>.fromOpaque(data).takeUnretainedValue()
          .read(into: buffer, upTo: length)
      },
      read,
      Self.release
    )
    // Invariant: as above, with a retain of its own.
    let seek = Unmanaged.passRetained(cursor).toOpaque()
    affix_vips_on_seek(
      source,
      { _, offset, origin, data in
        guard let data else { return -1 }
        return Unmanaged<Cursor>.fromOpaque(data).takeUnretainedValue()
          .seek(by: offset, from: origin)
      },
      seek,
      Self.release
    )
  }

  deinit {
    g_object_unref(source)
  }
}

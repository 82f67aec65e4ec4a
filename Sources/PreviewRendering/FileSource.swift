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
    private struct State {
      var position = 0
      /// Bytes of the file that were read ahead, and where they begin.
      var window: ArraySlice<UInt8> = []
      var windowStart = 0
    }

    /// libvips asks for 4 KB at a time; a system call for each would take longer than the copies.
    private static let windowSize = 64 << 10

    private let slice: FileSlice
    private let size: Int
    private let budget: TimeBudget
    /// libvips reads on threads of its own, one at a time, and hands over by locks of its own;
    /// this one says so to whoever looks for races, too.
    private let state = Mutex(State())

    init(_ slice: FileSlice, budget: TimeBudget) {
      self.slice = slice
      size = Int(max(0, min(slice.size.bytes, Int64.max - slice.offset)))
      self.budget = budget
    }

    // Invariant: libvips lends `wanted` bytes at `buffer` for the length of the call.
    func read(into buffer: UnsafeMutableRawPointer?, upTo wanted: Int) -> Int {
      guard let buffer, wanted > 0, !budget.isSpent else { return wanted == 0 ? 0 : -1 }
      // Invariant: as said, there is room for as many bytes.
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: wanted)
      return state.withLock { state in
        var ahead = state.position - state.windowStart
        if !state.window.indices.contains(ahead) {
          guard wanted < Self.windowSize else {
            let count = pread(into: room, at: state.position)
            state.position += max(0, count)
            return count
          }
          guard fill(&state) else { return -1 }
          ahead = 0
        }
        let found = state.window[ahead...].prefix(wanted)
        room.copyBytes(from: found)
        state.position += found.count
        return found.count
      }
    }

    /// Reads ahead from the position on; at the end there is nothing to read.
    private func fill(_ state: inout State) -> Bool {
      let (start, room) = (state.position, Self.windowSize)
      var count = 0
      state.window =
        [UInt8](unsafeUninitializedCapacity: room) { window, filled in
          // Invariant: no more than the new array's own room is written, and so much is filled.
          count = pread(into: UnsafeMutableRawBufferPointer(window), at: start)
          filled = max(0, count)
        }[...]
      state.windowStart = start
      return count >= 0
    }

    /// Invariant: writes no more than the room that it is lent.
    private func pread(into room: UnsafeMutableRawBufferPointer, at start: Int) -> Int {
      let count = min(room.count, size - start)
      guard count > 0 else { return 0 }
      while true {
        let got = Glibc.pread(
          slice.descriptor,
          room.baseAddress,
          count,
          off_t(slice.offset) + off_t(start)
        )
        guard got < 0, errno == EINTR else { return got }
      }
    }

    func seek(by offset: Int, from origin: CInt) -> Int {
      state.withLock { state in
        let start: Int
        switch origin {
        case SEEK_SET: start = 0
        case SEEK_CUR: start = state.position
        case SEEK_END: start = size
        default: return -1
        }
        let (target, overflow) = start.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return -1 }
        state.position = target
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

  /// The functions that it is read with.
  let library: VipsLibrary
  /// The source in libvips' terms.
  ///
  /// Invariant: one reference to it is owned by this object, from `init` to `deinit`.
  let source: UnsafeMutablePointer<VipsSourceCustom>

  /// A source of bytes in a regular file.
  init(_ slice: FileSlice, budget: TimeBudget) throws(PictureError) {
    // libvips aborts when it is to copy an empty source into memory.
    guard slice.size > ByteCount(0) else { throw PictureError(words: "the file is empty") }
    library = try ImageLibrary.start()
    guard let source = library.vips_source_custom_new() else {
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

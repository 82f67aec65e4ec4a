import CSeccomp
import FoundationEssentials
import Glibc
import TimeBudgets

/// One end of a stream socket between a parent and its child.
final class FrameSocket: Sendable {
  /// Why nothing was received.
  enum Failure: Error {
    /// The other end is closed, or broken.
    case closed
    /// The time is over.
    case late
    /// What came is longer than allowed, or is not what was expected.
    case malformed
  }

  /// A message as it was received.
  struct Frame {
    /// JSON.
    var text: [UInt8]
    /// What follows it.
    var tail: [UInt8]
    /// A descriptor that travelled with it, which is the receiver's; -1 where none did.
    var descriptor: CInt
  }

  /// The most bytes of JSON in one message.
  static let longestText = 1 << 20

  private let descriptor: CInt

  /// Takes over a connected stream socket; a number below 0 is one that is closed already.
  init(_ descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Sends a message, waiting for room as long as that takes.
  ///
  /// - Parameters:
  ///   - message: What is sent as JSON.
  ///   - tail: What follows it.
  ///   - file: A descriptor to travel with it.
  /// - Returns: Whether all of it went; where not, the other end is closed.
  func send(_ message: some Encodable, tail: [[UInt8]] = [], file: CInt = -1) -> Bool {
    guard let text = try? JSONEncoder().encode(message) else { return false }
    let lengths = FrameLengths(text: text.count, tail: tail.reduce(0) { $0 + $1.count })
    guard send(lengths.bytes + text, file: file) else { return false }
    return tail.allSatisfy { send($0, file: -1) }
  }

  private func send(_ bytes: [UInt8], file: CInt) -> Bool {
    var sent = 0
    while sent < bytes.count {
      // Invariant: sent < bytes.count, and no more than the rest is read from there.
      let count = bytes.withUnsafeBytes { buffer in
        affix_send(
          descriptor,
          buffer.baseAddress.map { $0 + sent },
          buffer.count - sent,
          sent == 0 ? file : -1
        )
      }
      if count > 0 {
        sent += count
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Waits for a message, however long it takes, and for a descriptor beside it.
  ///
  /// For the child's end alone: it trusts what its parent sends.
  func receiveRequest() throws(Failure) -> Frame {
    var file: CInt = -1
    var head = [UInt8](repeating: 0, count: FrameLengths.size)
    // Invariant: at most the buffer's own size is written.
    let count = head.withUnsafeMutableBytes {
      affix_receive(descriptor, $0.baseAddress, $0.count, &file)
    }
    guard count > 0 else { throw .closed }
    if count < head.count {
      let rest = try receive(head.count - count, until: nil)
      head.replaceSubrange(count..., with: rest)
    }
    let lengths = FrameLengths(head)
    let text = try receive(lengths.text, until: nil)
    return Frame(text: text, tail: [], descriptor: file)
  }

  /// Waits for a message, whose every length is held against a limit before room is made for it.
  ///
  /// Descriptors that come with it are closed by the system, since no room is given for them.
  ///
  /// - Parameters:
  ///   - longestTail: The most bytes behind the JSON.
  ///   - budget: How long to wait.
  /// - Returns: The whole message.
  /// - Throws: Where there is none in time, or it is too long.
  func receive(upTo longestTail: Int, within budget: TimeBudget) throws(Failure) -> Frame {
    let lengths = FrameLengths(try receive(FrameLengths.size, until: budget))
    guard lengths.text <= Self.longestText, lengths.tail <= longestTail else { throw .malformed }
    let text = try receive(lengths.text, until: budget)
    let tail = try receive(lengths.tail, until: budget)
    return Frame(text: text, tail: tail, descriptor: -1)
  }

  private func receive(_ count: Int, until budget: TimeBudget?) throws(Failure) -> [UInt8] {
    guard count > 0 else { return [] }
    // Nothing ever comes on it, and to wait for that would take the whole budget (poll(2)).
    guard descriptor >= 0 else { throw .closed }
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, received in
      // Invariant: received < count = the buffer's size, and no more than the rest is written.
      while received < count, let base = buffer.baseAddress {
        if let budget, !isReadable(within: budget) {
          failure = .late
          return
        }
        let got = recv(descriptor, base + received, count - received, 0)
        if got > 0 {
          received += got
        } else if got == 0 || errno != EINTR {
          failure = .closed
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private func isReadable(within budget: TimeBudget) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let milliseconds = (budget.remaining / .milliseconds(1)).rounded(.up)
      let ready = poll(&wanted, 1, CInt(min(milliseconds, 3_600_000)))
      if ready > 0 { return true }
      if budget.isSpent || (ready < 0 && errno != EINTR) { return false }
    }
  }
}

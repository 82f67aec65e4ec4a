import AttachmentModel
import Synchronization

/// Lets callers who ask for the same address at the same time share one check.
final class SharedChecks: Sendable {
  private struct Key: Hashable {
    let address: String
    let typeHint: String?
    let filenameExtension: String?
  }

  private struct Running {
    let number: UInt64
    let task: Task<AttachmentReport, Never>
    var callers = 1
  }

  private struct State {
    var running: [Key: Running] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Checks, or joins a check that is under way.
  ///
  /// The check is cancelled once every caller is; who asks afterwards starts a new one.
  ///
  /// - Parameters:
  ///   - reference: What to check.
  ///   - address: Its address in the one form that all spellings share; nothing where it has none.
  ///   - check: Does the check.
  /// - Returns: A report on this reference, whoever's check it was.
  func report(
    on reference: AttachmentReference,
    at address: String?,
    _ check: @escaping @Sendable () async -> AttachmentReport
  ) async -> AttachmentReport {
    guard let address else { return await check() }
    let key = Key(
      address: address,
      typeHint: reference.typeHint,
      filenameExtension: reference.filenameExtension
    )
    let (number, task) = join(key, check)
    var report = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      leave(key, number)
    }
    finish(key, number)
    report.source = reference.source
    report.evidence.reference = reference
    return report
  }

  private func join(
    _ key: Key,
    _ check: @escaping @Sendable () async -> AttachmentReport
  ) -> (number: UInt64, task: Task<AttachmentReport, Never>) {
    state.withLock { state in
      if let running = state.running[key] {
        state.running[key]?.callers += 1
        return (running.number, running.task)
      }
      state.lastNumber += 1
      let running = Running(number: state.lastNumber, task: Task { await check() })
      state.running[key] = running
      return (running.number, running.task)
    }
  }

  private func leave(_ key: Key, _ number: UInt64) {
    let abandoned = state.withLock { state -> Task<AttachmentReport, Never>? in
      guard let running = state.running[key], running.number == number else { return nil }
      guard running.callers == 1 else {
        state.running[key]?.callers -= 1
        return nil
      }
      state.running[key] = nil
      return running.task
    }
    abandoned?.cancel()
  }

  private func finish(_ key: Key, _ number: UInt64) {
    state.withLock { state in
      if state.running[key]?.number == number { state.running[key] = nil }
    }
  }
}

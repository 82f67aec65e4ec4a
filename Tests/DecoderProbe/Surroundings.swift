import Glibc

/// What a process finds around it, seen before its cage closes.
struct Surroundings {
  /// The numbers of its open descriptors.
  let descriptors: [CInt]
  /// How many environment variables it has.
  let variables: Int
  /// Whether a signal is held back.
  let holdsSignals: Bool

  init() {
    descriptors = (0..<1_024).filter { fcntl($0, F_GETFD) >= 0 }
    var count = 0
    // Invariant: the list of the environment ends with a null pointer.
    while environ[count] != nil { count += 1 }
    variables = count
    var mask = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &mask)
    holdsSignals = (1..<32).contains { sigismember(&mask, $0) == 1 }
  }

  var description: String {
    let numbers = descriptors.map { "\($0)" }.joined(separator: " ")
    return "descriptors \(numbers), variables \(variables), signals held \(holdsSignals)"
  }
}

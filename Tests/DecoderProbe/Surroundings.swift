import Glibc

/// What a process finds around it, seen before its cage closes.
struct Surroundings {
  /// The numbers of its open descriptors.
  let descriptors: [CInt]
  /// The names of its environment variables.
  let variables: [Substring]
  /// Whether a signal is held back.
  let holdsSignals: Bool

  init() {
    descriptors = (0..<1_024).filter { fcntl($0, F_GETFD) >= 0 }
    var names: [Substring] = []
    // Invariant: the list of the environment ends with a null pointer, and its texts with a zero.
    while let text = environ[names.count] {
      names.append(String(cString: text).prefix { $0 != "=" })
    }
    variables = names.sorted()
    var mask = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &mask)
    holdsSignals = (1..<32).contains { sigismember(&mask, $0) == 1 }
  }

  var description: String {
    let numbers = descriptors.map { "\($0)" }.joined(separator: " ")
    let names = variables.joined(separator: " ")
    return "descriptors \(numbers), variables \(names), signals held \(holdsSignals)"
  }
}

import Glibc

/// One system call that a caged child may make, and why it needs it.
///
/// The list is what `strace` shows over every fixture and the score, and what the C library does
/// where memory runs out or a check of its own fails. What is not on it ends the child with
/// SIGSYS: nothing here has a use for more, so whoever tries is no decoder any more.
struct SystemCallRule: Sendable {
  /// What an argument must be for the rule to hold.
  enum Condition: Sendable, Hashable {
    case equals(argument: UInt32, UInt64)
    case atMost(argument: UInt32, UInt64)
    case atLeast(argument: UInt32, UInt64)
    /// The bits of the mask must be these.
    case bits(argument: UInt32, mask: UInt64, UInt64)
  }

  /// What becomes of a call that is on the list.
  enum Verdict: Sendable, Hashable {
    case allowed
    /// It fails with this error, and the caller does without.
    case refused(CInt)
  }

  let name: String
  var conditions: [Condition] = []
  var verdict = Verdict.allowed
  let reason: String

  /// Memory that programs could be written into is never executable.
  private static let neverExecutable = Condition.bits(argument: 2, mask: UInt64(PROT_EXEC), 0)
  /// Threads share everything with the process; anything else that clone makes is a new process.
  private static let thread: UInt64 = 0x0001_0F00  // CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD

  /// The whole list.
  ///
  /// - Parameter process: The child's own number.
  /// - Returns: One rule a call.
  static func list(process: pid_t) -> [SystemCallRule] {
    let socket = UInt64(ChildDescriptors.socket)
    let counter = UInt64(ChildDescriptors.counter)
    let own = Condition.equals(argument: 0, UInt64(process))
    return [
      // The line to the parent.
      .init(
        name: "recvmsg",
        conditions: [.equals(argument: 0, socket)],
        reason: "takes a request and its file"
      ),
      .init(
        name: "recvfrom",
        conditions: [.equals(argument: 0, socket)],
        reason: "takes the rest of a request"
      ),
      .init(
        name: "sendmsg",
        conditions: [.equals(argument: 0, socket)],
        reason: "answers"
      ),
      .init(
        name: "write",
        conditions: [.atMost(argument: 0, counter)],
        reason: "counts files; says why it aborts, into /dev/null"
      ),
      .init(
        name: "writev",
        conditions: [.atMost(argument: 0, 2)],
        reason: "the C library says why it aborts, into /dev/null"
      ),

      // The file.
      .init(name: "pread64", reason: "reads the file, at any place"),
      .init(
        name: "close",
        conditions: [.atLeast(argument: 0, counter + 1)],
        reason: "gives the file back; the numbers of the line stay taken"
      ),

      // Files that libraries look for, and do without where they get none.
      .init(
        name: "openat",
        verdict: .refused(EACCES),
        reason: "malloc asks about overcommitment when a heap shrinks, decoders for processors"
      ),
      .init(
        name: "newfstatat",
        verdict: .refused(EACCES),
        reason: "the C library looks whether settings have changed"
      ),
      .init(
        name: "lseek",
        verdict: .refused(ESPIPE),
        reason: "the C library is about to write a message into /dev/null"
      ),

      // Memory.
      .init(
        name: "mmap",
        conditions: [
          neverExecutable, .bits(argument: 3, mask: UInt64(MAP_ANONYMOUS), UInt64(MAP_ANONYMOUS)),
        ],
        reason: "memory for pixels and stacks; files are not mapped"
      ),
      .init(
        name: "mprotect",
        conditions: [neverExecutable],
        reason: "heaps grow, stacks get guards"
      ),
      .init(name: "munmap", reason: "gives memory back"),
      .init(name: "mremap", reason: "realloc of large blocks"),
      .init(name: "madvise", reason: "gives a stack's memory back when its thread ends"),
      .init(name: "brk", reason: "the main heap grows"),

      // Threads of libvips, libheif and their decoders.
      .init(
        name: "clone",
        conditions: [.bits(argument: 0, mask: thread, thread)],
        reason: "starts a thread, and never a process"
      ),
      .init(
        name: "clone3",
        verdict: .refused(ENOSYS),
        reason: "its flags lie in memory, where no filter sees them; the C library then uses clone"
      ),
      .init(name: "set_robust_list", reason: "a thread starts"),
      .init(name: "rseq", reason: "a thread starts"),
      .init(name: "rt_sigprocmask", reason: "a thread starts or aborts"),
      .init(
        name: "prctl",
        conditions: [.equals(argument: 0, 15)],  // PR_SET_NAME
        reason: "a thread gets its name"
      ),
      .init(name: "futex", reason: "locks"),
      .init(
        name: "restart_syscall",
        reason: "a lock's timed wait goes on after the process was stopped for a while"
      ),
      .init(name: "sched_yield", reason: "locks of decoders that spin for a moment"),
      .init(name: "sched_getaffinity", reason: "how many threads a decoder starts"),
      .init(name: "exit", reason: "a thread ends"),

      // Time, chance and the end.
      .init(name: "clock_gettime", reason: "where the kernel offers no clock without a call"),
      .init(name: "clock_nanosleep", reason: "sanitizers wait"),
      .init(name: "getrandom", reason: "seeds of hash tables"),
      .init(name: "exit_group", reason: "the end"),
      .init(name: "gettid", reason: "a thread aborts"),
      .init(name: "getpid", reason: "a thread aborts"),
      .init(name: "tgkill", conditions: [own], reason: "a thread aborts: the signal is its own"),
      .init(name: "rt_sigaction", reason: "abort sets its signal to its default"),
      .init(name: "rt_sigreturn", reason: "a signal was taken"),
    ]
  }
}

/// The numbers under which a child finds what it is given.
enum ChildDescriptors {
  /// The line to the parent.
  static let socket: CInt = 3
  /// An event counter that is raised with each file that is begun.
  static let counter: CInt = 4
}

import CSeccomp
import Glibc

/// What a child gives up before it sees a file; nothing of it can be taken back.
enum Confinement {
  /// Threads of decoders keep rows of pixels on their stacks.
  private static let stackSize = 8 << 20

  /// What is to be done before libraries are started: the child ends with its parent, holds no
  /// environment, and its threads have the stacks that decoders need.
  static func prepare() {
    // However the parent ends, also by SIGKILL, and whatever this process is doing then.
    affix_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL))
    clearenv()
    // Without it the C library looks for the zone's file whenever the time is written.
    setenv("TZ", "UTC0", 1)
    tzset()
    // Large pictures stay in memory, whose limit is ours: libvips would put them into a file.
    setenv("VIPS_DISC_THRESHOLD", "1000g", 1)
    _ = affix_set_stack_size(stackSize)
    var stack = rlimit(rlim_cur: rlim_t(stackSize), rlim_max: rlim_t(stackSize))
    setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack)
    // Each heap reserves 64 MB of address space, which is counted against the limit.
    mallopt(M_ARENA_MAX, 2)
  }

  /// A file without a name that holds some bytes, as decoders are warmed up with.
  static func memoryFile(holding bytes: [UInt8]) -> CInt? {
    let file = affix_memory_file("affix")
    guard file >= 0 else { return nil }
    // Invariant: no more than the buffer's own size is read from it.
    let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == bytes.count else {
      Glibc.close(file)
      return nil
    }
    return file
  }

  /// Closes the cage around every thread of this process.
  ///
  /// - Parameter addressSpace: The most bytes of memory beyond what is in use by now.
  /// - Returns: Why system calls are not filtered; nothing where they are.
  static func close(addressSpace: Int) -> String? {
    limit(RLIMIT_AS, to: occupiedAddressSpace() + addressSpace)
    // The parent's clock ends what takes too long; this ends what nobody waits for any more.
    limit(RLIMIT_CPU, to: 3 * 3_600)
    limit(RLIMIT_FSIZE, to: 0)
    limit(RLIMIT_CORE, to: 0)
    limit(RLIMIT_NOFILE, to: Int(ChildDescriptors.counter) + 4)
    // Nobody may look into this process or stop it by way of /proc; its memory is not dumped.
    affix_prctl(PR_SET_DUMPABLE, 0)
    guard affix_prctl(PR_SET_NO_NEW_PRIVS, 1) == 0 else {
      return "no_new_privs is refused: \(String(cString: strerror(errno)))"
    }
    return filter(SystemCallRule.list(process: getpid()))
  }

  private static func limit(_ resource: __rlimit_resource, to value: Int) {
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
  }

  /// What is mapped already: libraries, and under a sanitizer terabytes that are never touched.
  private static func occupiedAddressSpace() -> Int {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    defer { Glibc.close(file) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(file, &text, text.count)
    let pages = text.prefix(max(0, count)).prefix { $0 != UInt8(ascii: " ") }
      .reduce(0) { $0 * 10 + Int($1) - 48 }
    return pages * sysconf(CInt(_SC_PAGESIZE))
  }

  /// Loads the filter; every thread is under it, or none is.
  private static func filter(_ rules: [SystemCallRule]) -> String? {
    guard let filter = seccomp_init(SCMP_ACT_KILL_PROCESS) else { return "no filter can be made" }
    defer { seccomp_release(filter) }
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1)
    for rule in rules {
      let number = seccomp_syscall_resolve_name(rule.name)
      // Where a processor has no such call, nobody can make it.
      guard number >= 0 else { continue }
      let action =
        switch rule.verdict {
        case .allowed: UInt32(SCMP_ACT_ALLOW)
        case .refused(let error): affix_seccomp_errno(UInt16(error))
        }
      let conditions = rule.conditions.map(\.comparison)
      let problem = seccomp_rule_add_array(
        filter,
        action,
        number,
        UInt32(conditions.count),
        conditions
      )
      guard problem == 0 else {
        return "the rule for \(rule.name) is refused: \(String(cString: strerror(-problem)))"
      }
    }
    let problem = seccomp_load(filter)
    return problem == 0 ? nil : "the filter is refused: \(String(cString: strerror(-problem)))"
  }
}

extension SystemCallRule.Condition {
  fileprivate var comparison: scmp_arg_cmp {
    switch self {
    case .equals(let argument, let value):
      scmp_arg_cmp(arg: argument, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
    case .atMost(let argument, let value):
      scmp_arg_cmp(arg: argument, op: SCMP_CMP_LE, datum_a: value, datum_b: 0)
    case .atLeast(let argument, let value):
      scmp_arg_cmp(arg: argument, op: SCMP_CMP_GE, datum_a: value, datum_b: 0)
    case .bits(let argument, let mask, let value):
      scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The core file that the kernel writes of a process that crashes, with all its memory.
enum CoreFile {
  /// Forbids core files of this process and of the processes that it starts.
  static func forbid() {
    // One byte rather than zero: with a piped core_pattern a limit of zero does not stop the core (core(5)).
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    // Where a core is written all the same, it has no mapping in it (core(5), coredump_filter).
    let filter = unsafe open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard filter >= 0 else { return }
    try? FileDescriptor(number: filter).write([UInt8(ascii: "0")])
    close(filter)
  }
}

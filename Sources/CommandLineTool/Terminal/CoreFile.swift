// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemIO

/// The core file of a crashed process, which contains its memory.
enum CoreFile {
  /// Disables core files for this process and its children.
  static func forbid() {
    // One byte, not zero: with a piped core_pattern, a limit of zero does not prevent the core dump (core(5)).
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    // A core file that is written nevertheless contains no mappings (core(5), coredump_filter).
    let filter = unsafe open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard filter >= 0 else { return }
    try? FileDescriptor(number: filter).write([UInt8(ascii: "0")])
    close(filter)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyLinux
internal import Glibc
internal import PasskeySystem

/// The memory of this process, which may hold a passphrase, a token or a private key.
enum ProcessMemory {
  /// Keeps the memory from other processes of the same user, and out of core files.
  ///
  /// The process is no longer dumpable (`PR_SET_DUMPABLE`): the kernel refuses ptrace and `/proc/PID/mem` to every process
  /// without `CAP_SYS_PTRACE`. A program that this process executes is dumpable again, and limited to a core file of one byte.
  static func protect() {
    // One byte rather than zero: with a piped core_pattern a limit of zero does not stop the core (core(5)).
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    excludeMappingsFromCore()
    // Last: files in /proc/self belong to root from here on.
    _ = passkey_refuse_tracing()
  }

  /// Leaves every mapping out of a core file that is written anyway (core(5), coredump_filter).
  private static func excludeMappingsFromCore() {
    try? OpenFile("/proc/self/coredump_filter", .writing).write([UInt8(ascii: "0")])
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The file that the system writes of a process that dies of a fault, with everything in it that the process knew.
package enum CoreFile {
  /// Sees to it that there is none of this process.
  package static func forbid() {
    // One byte, and not none: where cores go to a program, a limit of none still lets them go there (core(5)).
    var limit = rlimit(rlim_cur: 1, rlim_max: 1)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}

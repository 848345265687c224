// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What whoever started the program wants done with its signals.
package enum SignalDisposition {
  /// Whether a signal is to pass the program by: as nohup has it with SIGHUP, and a shell with the SIGINT of what is in the
  /// background.
  package static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 in the place of an address.
    return unsafe withUnsafeBytes(of: action.__sigaction_handler) { unsafe $0.load(as: Int.self) } == 1
  }
}

// SPDX-License-Identifier: Apache-2.0

/// How the program ends. The numbers are promised: scripts depend on them.
package enum ExitCode: Int32, CaseIterable {
  /// Everything was done, and nothing was found wrong.
  case done = 0
  /// A file could not be read, or output could not be written.
  case inputOutput = 1
  /// The command line was not understood.
  case usage = 2
  /// The server cannot be reached, or its answer did not come whole.
  case network = 3
  /// The server said no.
  case refusedByServer = 4
  /// The user, or the device, said no; or nobody could be asked, since there is no terminal.
  case refused = 5
  /// The vault cannot be opened or written.
  case vault = 6
  /// What was to be judged is wrong.
  case verificationFailed = 7
}

// SPDX-License-Identifier: Apache-2.0

/// The status word at the end of a U2F response (FIDO U2F Raw Message Formats §3.3, ISO 7816-4 §5.1.3).
enum U2FStatus: UInt16, Error {
  case noError = 0x9000
  /// User presence is required.
  case conditionsNotSatisfied = 0x6985
  /// U2F is disabled.
  case commandNotAllowed = 0x6986
  /// The key handle is unknown, or belongs to another application.
  case wrongData = 0x6a80
  case wrongLength = 0x6700
  case classNotSupported = 0x6e00
  case instructionNotSupported = 0x6d00
  /// An internal error that the client did not cause.
  case noPreciseDiagnosis = 0x6f00

  /// The status word as two bytes, big-endian.
  var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)] }
}

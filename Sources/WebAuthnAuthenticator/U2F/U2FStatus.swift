// SPDX-License-Identifier: Apache-2.0

/// The status word behind a U2F reply (FIDO U2F Raw Message Formats §3.3, ISO 7816-4 §5.1.3).
enum U2FStatus: UInt16, Error {
  case noError = 0x9000
  /// Somebody has to be there.
  case conditionsNotSatisfied = 0x6985
  /// U2F is off.
  case commandNotAllowed = 0x6986
  /// The key handle is not one of this device's for that application.
  case wrongData = 0x6a80
  case wrongLength = 0x6700
  case classNotSupported = 0x6e00
  case instructionNotSupported = 0x6d00
  /// Something went wrong that is nobody's fault who asked.
  case noPreciseDiagnosis = 0x6f00

  /// The two bytes.
  var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)] }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A U2F request message (FIDO U2F Raw Message Formats §4 to §6).
enum U2FMessage {
  /// §4: creates a credential for an application, which is identified by a hash.
  case register(challenge: Bytes, application: Bytes)
  /// §5: signs a challenge.
  case authenticate(U2FControl, challenge: Bytes, application: Bytes, keyHandle: Bytes)
  /// §6: returns the U2F version.
  case version

  /// Parses the message in a command.
  init(_ command: CommandAPDU) throws(U2FStatus) {
    var reader = ByteReader(command.data)
    switch command.instruction {
    case 0x01:
      self = try .register(challenge: reader.hash(), application: reader.hash())
    case 0x02:
      guard let control = U2FControl(rawValue: command.parameter) else { throw .wrongData }
      self = try .authenticate(
        control, challenge: reader.hash(), application: reader.hash(), keyHandle: reader.keyHandle())
    case 0x03:
      self = .version
    default:
      throw .instructionNotSupported
    }
    guard reader.isAtEnd else { throw .wrongLength }
  }
}

/// The control byte of an authentication request (§5.1).
enum U2FControl: UInt8 {
  /// Only checks whether the key handle is valid, without a signature.
  case checkOnly = 0x07
  /// Signs after the user proves presence.
  case enforceUserPresence = 0x03
  /// Signs without user presence.
  case skipUserPresence = 0x08
}

extension ByteReader {
  fileprivate mutating func hash() throws(U2FStatus) -> Bytes {
    try take(32)
  }

  fileprivate mutating func keyHandle() throws(U2FStatus) -> Bytes {
    let length = try take(1)
    return try take(length.reduce(0) { (_, byte) in Int(byte) })
  }

  private mutating func take(_ count: Int) throws(U2FStatus) -> Bytes {
    try mapError(read(count)) { (_: WireError) in U2FStatus.wrongLength }
  }
}

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

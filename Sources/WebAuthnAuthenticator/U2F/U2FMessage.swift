// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

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
    do throws(WireError) {
      return try read(count)
    } catch {
      throw .wrongLength
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// What a U2F client asks (FIDO U2F Raw Message Formats §4 to §6).
enum U2FMessage {
  /// §4: a new credential for an application, which is told by a hash.
  case register(challenge: Bytes, application: Bytes)
  /// §5: a signature.
  case authenticate(U2FControl, challenge: Bytes, application: Bytes, keyHandle: Bytes)
  /// §6: what is spoken here.
  case version

  /// Takes a command apart.
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

/// How a signature is asked for (§5.1).
enum U2FControl: UInt8 {
  /// Whether the key handle is known: no signature, whatever the answer.
  case checkOnly = 0x07
  /// With somebody there.
  case enforceUserPresence = 0x03
  /// With nobody asked.
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

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// state = version | next sequence | passkeys | pin? | fingers | finger attempts | settings | large blobs? |
//         1 | persistent token | identity | 1 | wrapping
//
// Parsing rejects unknown versions and trailing bytes. Rewriting such a state would lose data.

extension DeviceState {
  /// The version of the encoding.
  static let version: UInt8 = 2

  /// The encoded state. It contains private keys, so the caller must wipe it after use.
  var encoded: [UInt8] {
    StateWriter.bytes { (writer) in
      writer.number(Self.version)
      writer.number(nextSequence)
      writer.list(passkeys) { (writer, passkey) in passkey.write(to: &writer) }
      writer.optional(pin) { (writer, pin) in
        writer.secret(pin.hash)
        writer.number(UInt8(clamping: pin.codePointCount))
        writer.number(pin.remainingAttempts)
      }
      writer.list(fingers) { (writer, finger) in
        writer.field(finger.templateID)
        writer.number(finger.finger)
        writer.optional(finger.name) { (writer, name) in writer.text(name) }
      }
      writer.number(remainingFingerAttempts)
      settings.write(to: &writer)
      writer.optional(largeBlobArray) { (writer, array) in writer.field(array) }
      writer.bool(true)
      writer.secret(persistentToken)
      writer.secret(identity.identifier)
      writer.secret(identity.credentialStoreState)
      writer.bool(true)
      writer.secret(wrapping.key)
      writer.number(wrapping.signCount)
    }
  }

  /// Parses a state that occupies all of `bytes`.
  init(parsing bytes: Bytes) throws(WireError) {
    var reader = StateReader(bytes)
    guard try reader.byte() == Self.version else { throw WireError(.bytesUnknownVersion, at: bytes.startIndex) }
    let nextSequence = try reader.number()
    let passkeys = try reader.list { (reader) throws(WireError) in try StoredPasskey(from: &reader) }
    let pin = try reader.optional { (reader) throws(WireError) in
      PINState(
        hash: try reader.secret(), codePointCount: Int(try reader.byte()), remainingAttempts: try reader.byte())
    }
    let fingers = try reader.list { (reader) throws(WireError) in
      EnrolledFinger(
        templateID: try reader.field(), finger: try reader.byte(),
        name: try reader.optional { (reader) throws(WireError) in try reader.text() })
    }
    let remainingFingerAttempts = try reader.byte()
    let settings = try DeviceSettings(from: &reader)
    let largeBlobArray = try reader.optional { (reader) throws(WireError) in try reader.field() }
    try reader.requirePresence()
    let persistentToken = try reader.secret()
    let identity = DeviceIdentity(identifier: try reader.secret(), credentialStoreState: try reader.secret())
    try reader.requirePresence()
    let wrapping = CredentialWrapping(key: try reader.secret(), signCount: try reader.number32())
    try reader.finish()
    self.init(identity: identity, persistentToken: persistentToken, wrapping: wrapping)
    self.nextSequence = nextSequence
    self.passkeys = passkeys
    self.pin = pin
    self.fingers = fingers
    self.remainingFingerAttempts = remainingFingerAttempts
    self.settings = settings
    self.largeBlobArray = largeBlobArray
  }
}

extension DeviceSettings {
  fileprivate func write(to writer: inout StateWriter) {
    writer.bool(alwaysRequiresUserVerification)
    writer.bool(allowsEnterpriseAttestation)
    writer.number(UInt8(clamping: minimumPINLength))
    writer.list(minimumPINLengthReaders) { (writer, reader) in writer.text(reader) }
    writer.bool(forcesPINChange)
    writer.bool(needsLongTouchForReset)
    writer.bool(enforcesPINComplexity)
  }

  fileprivate init(from reader: inout StateReader) throws(WireError) {
    self.init(
      alwaysRequiresUserVerification: try reader.bool(), allowsEnterpriseAttestation: try reader.bool(),
      minimumPINLength: Int(try reader.byte()),
      minimumPINLengthReaders: try reader.list { (reader) throws(WireError) in try reader.text() },
      forcesPINChange: try reader.bool(), needsLongTouchForReset: try reader.bool(),
      enforcesPINComplexity: try reader.bool())
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension StoredPasskey {
  func write(to writer: inout StateWriter) {
    writer.field(id.bytes)
    writer.signed(algorithm.rawValue)
    writer.secret(privateKey)
    writer.field(relyingPartyIDHash)
    writer.optional(relyingPartyID) { (writer, id) in writer.text(id) }
    writer.optional(relyingPartyName) { (writer, name) in writer.text(name) }
    writer.optional(user) { (writer, user) in
      writer.field(user.id.bytes)
      writer.optional(user.name) { (writer, name) in writer.text(name) }
      writer.optional(user.displayName) { (writer, name) in writer.text(name) }
    }
    writer.bool(isDiscoverable)
    writer.number(protection.rawValue)
    writer.optional(extensionSecrets) { (writer, secrets) in
      writer.secret(secrets.withVerification)
      writer.secret(secrets.withoutVerification)
    }
    writer.optional(blob) { (writer, blob) in writer.field(blob) }
    writer.optional(largeBlobKey) { (writer, key) in writer.secret(key) }
    writer.bool(allowsThirdPartyPayment)
    writer.field(aaguid.bytes)
    writer.number(counterPolicy.rawValue)
    writer.number(signCount)
    writer.bool(isBackupEligible)
    writer.bool(isBackedUp)
    writer.signed(created.secondsSince1970)
    writer.optional(lastUsed) { (writer, time) in writer.signed(time.secondsSince1970) }
    writer.number(sequence)
  }

  init(from reader: inout StateReader) throws(WireError) {
    self.init(try Fields(from: &reader))
  }
}

extension StoredPasskey.Fields {
  fileprivate init(from reader: inout StateReader) throws(WireError) {
    id = try reader.value { (bytes) in try? CredentialID(bytes) }
    algorithm = COSEAlgorithm(rawValue: try reader.signed())
    privateKey = try reader.secret()
    relyingPartyIDHash = try reader.field()
    relyingPartyID = try reader.optional { (reader) throws(WireError) in try reader.text() }
    relyingPartyName = try reader.optional { (reader) throws(WireError) in try reader.text() }
    user = try reader.optional { (reader) throws(WireError) in
      PasskeyUser(
        id: try reader.value { (bytes) in try? UserHandle(bytes) },
        name: try reader.optional { (reader) throws(WireError) in try reader.text() },
        displayName: try reader.optional { (reader) throws(WireError) in try reader.text() })
    }
    isDiscoverable = try reader.bool()
    protection = try reader.choice()
    extensionSecrets = try reader.optional { (reader) throws(WireError) in
      ExtensionSecrets(withVerification: try reader.secret(), withoutVerification: try reader.secret())
    }
    blob = try reader.optional { (reader) throws(WireError) in try reader.field() }
    largeBlobKey = try reader.optional { (reader) throws(WireError) in try reader.secret() }
    allowsThirdPartyPayment = try reader.bool()
    aaguid = try reader.value { (bytes) in AAGUID(bytes) }
    counterPolicy = try reader.choice()
    signCount = try reader.number32()
    isBackupEligible = try reader.bool()
    isBackedUp = try reader.bool()
    created = UnixTime(secondsSince1970: try reader.signed())
    lastUsed = try reader.optional { (reader) throws(WireError) in
      UnixTime(secondsSince1970: try reader.signed())
    }
    sequence = try reader.number()
  }
}

extension StateReader {
  /// Reads a field and converts it with `make`. Throws if `make` returns nil.
  fileprivate mutating func value<Value>(_ make: ([UInt8]) -> Value?) throws(WireError) -> Value {
    let start = offset
    guard let value = make(try field()) else { throw WireError(.bytesInvalidValue, at: start) }
    return value
  }

  /// Reads a byte that must be a raw value of `Choice`.
  fileprivate mutating func choice<Choice: RawRepresentable<UInt8>>() throws(WireError) -> Choice {
    let start = offset
    guard let choice = Choice(rawValue: try byte()) else { throw WireError(.bytesInvalidValue, at: start) }
    return choice
  }
}

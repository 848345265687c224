// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The data that an authenticator signs (WebAuthn §6.1), parsed to the last byte.
///
/// The parts are slices of the original bytes. The signature covers ``encoded``, not the parsed values.
package struct AuthenticatorData: ByteParsable, Sendable {
  /// The original bytes.
  package let encoded: Bytes

  /// The SHA-256 hash of the RP ID.
  package let relyingPartyIDHash: Bytes

  /// The flags.
  package let flags: AuthenticatorFlags

  /// The signature counter.
  package let signCount: UInt32

  /// The new credential, if the AT flag is set.
  package let attestedCredentialData: AttestedCredentialData?

  /// The extension outputs, if the ED flag is set.
  package let extensions: CBORMap?

  /// The length of the RP ID hash.
  package static let relyingPartyIDHashByteCount = 32

  /// Parses authenticator data that are all of `bytes`.
  ///
  /// - Throws: `authenticator-data.truncated`, `authenticator-data.trailing-bytes`, `authenticator-data.malformed-key`
  ///   or `authenticator-data.malformed-extensions`.
  package init(parsing bytes: Bytes) throws(FormatError) {
    var reader = AuthenticatorDataReader(bytes)
    let relyingPartyIDHash = try reader.read(Self.relyingPartyIDHashByteCount)
    let flags = try reader.readFlags()
    let signCount = try reader.readSignCount()
    let credential = flags.contains(.attestedCredentialData) ? try reader.readAttestedCredentialData() : nil
    let extensions = flags.contains(.extensionData) ? try reader.readExtensions() : nil
    try reader.finish()

    encoded = bytes
    self.relyingPartyIDHash = relyingPartyIDHash
    self.flags = flags
    self.signCount = signCount
    attestedCredentialData = credential
    self.extensions = extensions
  }
}

extension AuthenticatorData {
  /// Creates authenticator data. Sets the flags AT and ED if, and only if, the corresponding part is present. The public
  /// key is not validated.
  ///
  /// - Throws: A ``FormatError`` for a hash of the wrong length, an ID that is too long, or malformed extensions.
  package init(
    relyingPartyIDHash: some ByteSource, flags: AuthenticatorFlags, signCount: UInt32,
    attestedCredentialData: AttestedCredentialData? = nil, extensions: CBORTree? = nil
  ) throws(FormatError) {
    guard relyingPartyIDHash.count == Self.relyingPartyIDHashByteCount else {
      throw FormatError(.authenticatorDataTruncated, at: relyingPartyIDHash.slice.startIndex)
    }
    var flags = flags.subtracting([.attestedCredentialData, .extensionData])
    if attestedCredentialData != nil { flags.insert(.attestedCredentialData) }
    if extensions != nil { flags.insert(.extensionData) }
    var writer = ByteWriter(capacity: 256)
    writer.write(relyingPartyIDHash)
    writer.write(flags.rawValue)
    writer.write(signCount)
    var (idOffset, keyOffset) = (0, 0)
    if let credential = attestedCredentialData {
      guard let length = UInt16(exactly: credential.credentialID.count) else {
        throw FormatError(.credentialIDInvalidLength, at: credential.credentialID.startIndex)
      }
      writer.write(credential.aaguid.bytes)
      writer.write(length)
      idOffset = writer.bytes.count
      writer.write(credential.credentialID)
      keyOffset = writer.bytes.count
      writer.write(credential.credentialPublicKey)
    }
    let extensionsOffset = writer.bytes.count
    if let extensions { writer.write(CBORWriter.bytes(of: extensions)) }
    let bytes = writer.bytes[...]
    if extensions != nil {
      var reader = AuthenticatorDataReader(bytes[extensionsOffset...])
      self.extensions = try reader.readExtensions()
    } else {
      self.extensions = nil
    }
    self.attestedCredentialData = attestedCredentialData.map { (credential) in
      AttestedCredentialData(
        aaguid: credential.aaguid, credentialID: bytes[idOffset..<keyOffset],
        credentialPublicKey: bytes[keyOffset..<extensionsOffset])
    }
    self.relyingPartyIDHash = bytes.prefix(Self.relyingPartyIDHashByteCount)
    self.flags = flags
    self.signCount = signCount
    encoded = bytes
  }
}

/// The flags of authenticator data (WebAuthn §6.1). Reserved bits are preserved.
package struct AuthenticatorFlags: OptionSet, Hashable, Sendable {
  /// The byte.
  package let rawValue: UInt8

  /// Creates flags from their byte.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// UP: the user was present.
  package static let userPresent = Self(rawValue: 0x01)
  /// UV: the user was verified.
  package static let userVerified = Self(rawValue: 0x04)
  /// BE: the credential can be backed up.
  package static let backupEligible = Self(rawValue: 0x08)
  /// BS: the credential is backed up.
  package static let backedUp = Self(rawValue: 0x10)
  /// AT: attested credential data follow.
  package static let attestedCredentialData = Self(rawValue: 0x40)
  /// ED: extension outputs follow.
  package static let extensionData = Self(rawValue: 0x80)

  /// The two bits that the standard reserves.
  package static let reserved = Self(rawValue: 0x22)
}

/// The part of authenticator data that describes a new credential (WebAuthn §6.5.1).
package struct AttestedCredentialData: Sendable {
  /// The model of the authenticator.
  package let aaguid: AAGUID

  /// The credential ID.
  package let credentialID: Bytes

  /// The public key as the authenticator encoded it: a COSE_Key that has not been validated.
  package let credentialPublicKey: Bytes

  /// Creates attested credential data.
  package init(aaguid: AAGUID, credentialID: some ByteSource, credentialPublicKey: some ByteSource) {
    self.aaguid = aaguid
    self.credentialID = credentialID.slice
    self.credentialPublicKey = credentialPublicKey.slice
  }
}

// SPDX-License-Identifier: Apache-2.0

public import COSE
public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// A passkey on its way from one device to another: the private key, and what it is for.
///
/// As text it is a JSON object with the members `format` ("passkey/1"), `rpId`, `userHandle`, `userName`,
/// `userDisplayName`, `credentialId`, `algorithm` and `privateKey`: byte strings in base64url, the key as PKCS#8, the
/// algorithm by its COSE number. Whoever has the text has the passkey.
public struct PortablePasskey: Sendable {
  /// The credential's id.
  public let id: CredentialID

  /// The RP ID.
  public let relyingPartyID: RelyingPartyID

  /// The user.
  public let user: PasskeyUser

  /// The key's one algorithm.
  public let algorithm: COSEAlgorithm

  /// The private key, PKCS#8.
  public let privateKey: SecretBytes

  /// What the text says that it is.
  public static let format = "passkey/1"

  init(_ passkey: StoredPasskey) throws(CTAPError) {
    guard passkey.isBackupEligible, passkey.counterPolicy == .zero else {
      throw CTAPError(.notAllowed, "a passkey that is bound to its device does not leave it")
    }
    guard let name = passkey.relyingPartyID, let relyingPartyID = try? RelyingPartyID(name), let user = passkey.user
    else { throw CTAPError(.notAllowed, "a U2F credential has no RP ID to go with") }
    id = passkey.id
    self.relyingPartyID = relyingPartyID
    self.user = user
    algorithm = passkey.algorithm
    privateKey = passkey.privateKey
  }

  /// As the device keeps it.
  func stored(sequence: UInt64, at time: Timestamp, random: RandomSource) throws(CTAPError) -> StoredPasskey {
    let (with, without) = try CTAPError.wrapping { () throws(CryptoError) in
      // The key must be one that signs here, before anybody relies on it.
      _ = try SigningKey(algorithm, pkcs8: privateKey)
      return (try random.secret(32), try random.secret(32))
    }
    return StoredPasskey(
      .init(
        id: id, algorithm: algorithm, privateKey: privateKey,
        relyingPartyIDHash: Digest.sha256([UInt8](relyingPartyID.text.utf8)[...]), relyingPartyID: relyingPartyID.text,
        relyingPartyName: nil, user: user.truncated, isDiscoverable: true, protection: .userVerificationOptional,
        extensionSecrets: ExtensionSecrets(withVerification: with, withoutVerification: without), blob: nil,
        largeBlobKey: nil, allowsThirdPartyPayment: false, aaguid: .passkeySoftware, counterPolicy: .zero, signCount: 0,
        isBackupEligible: true, isBackedUp: true, created: time, lastUsed: nil, sequence: sequence))
  }
}

// MARK: As text

extension PortablePasskey {
  /// The JSON text.
  public var json: [UInt8] {
    JSON.writeObject(.pretty) { (object) in
      object.write("format", .string(Self.format))
      object.write("rpId", .string(relyingPartyID.text))
      object.write("userHandle", .base64URL(user.id.bytes))
      if let name = user.name { object.write("userName", .string(name)) }
      if let name = user.displayName { object.write("userDisplayName", .string(name)) }
      object.write("credentialId", .base64URL(id.bytes))
      object.write("algorithm", .integer(algorithm.rawValue))
      object.write("privateKey", privateKey.withBytes { (bytes) in .base64URL(bytes) })
    }
  }

  /// Reads a JSON text; a member that is not known is passed over.
  public init(json: Bytes) throws(PortablePasskeyError) {
    do throws(WireError) {
      let object = try JSON.parse(json)
      let format = try object.require("format")
      guard try format.string == Self.format else { throw WireError(.bytesUnknownVersion, at: format.offset) }
      relyingPartyID = try object.value("rpId") { (value) in try? RelyingPartyID(value.string) }
      user = PasskeyUser(
        id: try object.value("userHandle") { (value) in try? UserHandle(value.base64URL) },
        name: try object["userName"]?.unlessNull?.string,
        displayName: try object["userDisplayName"]?.unlessNull?.string)
      id = try object.value("credentialId") { (value) in try? CredentialID(value.base64URL) }
      algorithm = COSEAlgorithm(rawValue: try object.require("algorithm").int64)
      privateKey = SecretBytes(try object.require("privateKey").base64URL[...])
    } catch {
      throw PortablePasskeyError(error.code == .bytesUnknownVersion ? .anotherFormat : .malformed, "\(error)")
    }
    do throws(CryptoError) {
      // The key must be one that signs here, before anybody relies on it.
      _ = try SigningKey(algorithm, pkcs8: privateKey)
    } catch {
      throw PortablePasskeyError(.unusableKey, "\(error)")
    }
  }
}

extension JSONValue {
  /// The member with this name, which has to make a value.
  fileprivate func value<Value>(_ name: String, _ make: (JSONValue) -> Value?) throws(WireError) -> Value {
    let member = try require(name)
    guard let value = make(member) else { throw WireError(.jsonWrongType, at: member.offset) }
    return value
  }
}

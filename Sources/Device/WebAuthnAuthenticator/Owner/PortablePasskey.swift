// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
package import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

/// A passkey in export format, to transfer it between devices. It contains the private key.
///
/// The text form is a JSON object with the members `format` ("passkey/1"), `rpId`, `userHandle`, `userName`,
/// `userDisplayName`, `credentialId`, `algorithm` and `privateKey`. Byte strings use base64url, the key is PKCS#8, and
/// the algorithm is its COSE number. The text is not encrypted: anyone who reads it can use the passkey.
public struct PortablePasskey: Sendable {
  /// The credential id.
  public let id: CredentialID

  /// The RP ID.
  package let relyingPartyID: RelyingPartyID

  /// The user.
  public let user: PasskeyUser

  /// The key's algorithm.
  package let algorithm: COSEAlgorithm

  /// The private key, PKCS#8.
  package let privateKey: SecretBytes

  /// The value of the `format` member.
  package static let format = "passkey/1"

  init(_ passkey: StoredPasskey) throws(CTAPError) {
    guard passkey.isBackupEligible, passkey.counterPolicy == .zero else {
      throw CTAPError(.notAllowed, "the passkey is bound to its device and cannot be exported")
    }
    guard let name = passkey.relyingPartyID, let relyingPartyID = try? RelyingPartyID(name), let user = passkey.user
    else { throw CTAPError(.notAllowed, "a U2F credential has no RP ID") }
    id = passkey.id
    self.relyingPartyID = relyingPartyID
    self.user = user
    algorithm = passkey.algorithm
    privateKey = passkey.privateKey
  }

  /// Returns the record to store. Throws if the key is not usable here.
  func stored(sequence: UInt64, at time: UnixTime, random: RandomSource) throws(CTAPError) -> StoredPasskey {
    let (with, without) = try CTAPError.wrapping { () throws(PasskeyCryptoError) in
      // Verify that the key works here before storing it.
      _ = try SigningKey(algorithm, pkcs8: privateKey)
      return (try random.secret(32), try random.secret(32))
    }
    return .imported(
      id: id, algorithm: algorithm, privateKey: privateKey, relyingPartyID: relyingPartyID, relyingPartyName: nil,
      user: user, extensionSecrets: ExtensionSecrets(withVerification: with, withoutVerification: without), blob: nil,
      largeBlobKey: nil, allowsThirdPartyPayment: false, created: time, sequence: sequence)
  }
}

// MARK: JSON

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

  /// Parses a JSON text. Ignores unknown members.
  ///
  /// - Throws: `portable-passkey.another-format`, `portable-passkey.malformed`, or `portable-passkey.unusable-key` if
  ///   the key does not work here.
  public init(json: [UInt8]) throws(PortablePasskeyError) {
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
    do throws(PasskeyCryptoError) {
      // Verify that the key works here before accepting it.
      _ = try SigningKey(algorithm, pkcs8: privateKey)
    } catch {
      throw PortablePasskeyError(.unusableKey, "\(error)")
    }
  }
}

extension JSONValue {
  /// Returns the value of a required member, converted with `make`. Throws if `make` returns nil.
  fileprivate func value<Value>(_ name: String, _ make: (JSONValue) -> Value?) throws(WireError) -> Value {
    let member = try require(name)
    guard let value = make(member) else { throw WireError(.jsonWrongType, at: member.offset) }
    return value
  }
}

/// The reason why a text cannot be imported as a passkey. It never contains the key.
public struct PortablePasskeyError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// A description of the problem, for people.
  public let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The causes. Raw values are stable: new ones may be added, but existing ones never change.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The text has an unsupported passkey format.
    case anotherFormat = "portable-passkey.another-format"
    /// The text is not a valid passkey.
    case malformed = "portable-passkey.malformed"
    /// The key does not match its algorithm, or the algorithm is not supported.
    case unusableKey = "portable-passkey.unusable-key"
  }
}

extension PortablePasskeyError: CustomStringConvertible {
  /// The code and the detail.
  public var description: String { "\(code.rawValue): \(detail)" }
}

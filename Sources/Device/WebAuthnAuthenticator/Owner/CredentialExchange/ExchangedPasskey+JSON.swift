// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// The passkey credential of the Credential Exchange Format 1.0, §3.3.12.
//
// Limits:
//   keys            16 KiB  [a 16,384-bit RSA key needs 10 KiB]
//   secrets         32 to 64 bytes  [ours have 32, and HMAC-SHA-256 hashes longer keys]
//   credBlob        1 KiB  [CTAP requires 32 bytes; a reply with it must fit into a message of 7,609]
//   largeBlob       16 KiB compressed, the device's whole storage, and 1 MiB decompressed, the client's limit
private enum Limits {
  static let keyByteCount = 1 << 14
  static let secretByteCount = 32...64
  static let blobByteCount = 1 << 10
  static let largeBlobByteCount: UInt64 = 1 << 20
}

extension ExchangedPasskey {
  static let type = "passkey"
  private static let hmacAlgorithm = "hmac-sha256"

  /// Writes the members of the credential.
  func write(to object: inout JSONObjectWriter) {
    object.write("type", .string(Self.type))
    object.write("credentialId", .base64URL(id.bytes))
    object.write("rpId", .string(relyingPartyID.text))
    object.write("username", .string(user.name ?? ""))
    object.write("userDisplayName", .string(user.displayName ?? ""))
    object.write("userHandle", .base64URL(user.id.bytes))
    object.write("key", Self.secret(privateKey))
    guard extensionSecrets != nil || blob != nil || largeBlob != nil || allowsThirdPartyPayment else { return }
    object.writeObject("fido2Extensions") { (extensions) in writeExtensions(to: &extensions) }
  }

  private func writeExtensions(to object: inout JSONObjectWriter) {
    if let extensionSecrets {
      object.writeObject("hmacCredentials") { (secrets) in
        secrets.write("algorithm", .string(Self.hmacAlgorithm))
        secrets.write("credWithUV", Self.secret(extensionSecrets.withVerification))
        secrets.write("credWithoutUV", Self.secret(extensionSecrets.withoutVerification))
      }
    }
    if let blob { object.write("credBlob", .base64URL(blob)) }
    if let largeBlob {
      object.writeObject("largeBlob") { (blob) in
        blob.write("uncompressedSize", .integer(largeBlob.uncompressedByteCount))
        blob.write("data", .base64URL(largeBlob.compressed))
      }
    }
    if allowsThirdPartyPayment { object.write("payments", true) }
  }

  private static func secret(_ secret: SecretBytes) -> JSONFragment {
    secret.withBytes { (bytes) in .base64URL(bytes) }
  }
}

extension ExchangedPasskey {
  /// Parses a credential. Adds unknown members to `leftOut`. Without an `algorithm`, the type of the key determines it.
  init(
    _ value: JSONValue, title: String?, created: UnixTime?, algorithm: COSEAlgorithm?, leftOut: inout NameTally
  ) throws(ExchangeRefusal) {
    id = try Self.member("credentialId", of: value) { (value) throws(WireError) in
      try? CredentialID(try value.base64URL)
    }
    relyingPartyID = try Self.member("rpId", of: value) { (value) throws(WireError) in
      try? RelyingPartyID(try value.string)
    }
    user = PasskeyUser(
      id: try Self.member("userHandle", of: value) { (value) throws(WireError) in
        try? UserHandle(try value.base64URL)
      }, name: try Self.name("username", of: value), displayName: try Self.name("userDisplayName", of: value))
    self.title = title
    self.created = created
    (privateKey, self.algorithm) = try Self.key(of: value, algorithm)

    let extensions = try Self.wrapping(.malformed) { () throws(WireError) in try value["fido2Extensions"]?.unlessNull }
    extensionSecrets = try extensions.flatMap { (value) throws(ExchangeRefusal) in try Self.secrets(of: value) }
    blob = try extensions.flatMap { (value) throws(ExchangeRefusal) in try Self.blob(of: value) }
    largeBlob = try extensions.flatMap { (value) throws(ExchangeRefusal) in try Self.largeBlob(of: value) }
    allowsThirdPartyPayment = try Self.wrapping(.unusableExtension) { () throws(WireError) in
      try extensions?["payments"]?.unlessNull?.bool ?? false
    }

    leftOut.addMembers(
      of: value,
      except: ["type", "credentialId", "rpId", "username", "userDisplayName", "userHandle", "key"]
        + ["fido2Extensions"], as: "passkey")
    leftOut.addMembers(
      of: extensions, except: ["hmacCredentials", "credBlob", "largeBlob", "payments"], as: "fido2Extensions")
  }

  private static func member<Value>(
    _ name: String, of value: JSONValue, _ read: (JSONValue) throws(WireError) -> Value?
  ) throws(ExchangeRefusal) -> Value {
    let read = try wrapping(.malformed, name) { () throws(WireError) in try read(try value.require(name)) }
    guard let read else { throw ExchangeRefusal(.malformed, "\(name) is invalid") }
    return read
  }

  /// Returns a name; nil if it is missing or empty. Some exporters omit empty names.
  private static func name(_ name: String, of value: JSONValue) throws(ExchangeRefusal) -> String? {
    let text = try wrapping(.malformed, name) { () throws(WireError) in try value[name]?.unlessNull?.string }
    return text.flatMap { (text) in text.isEmpty ? nil : text }
  }

  /// Returns the key in our encoding, after verifying that it works here.
  private static func key(
    of value: JSONValue, _ algorithm: COSEAlgorithm?
  ) throws(ExchangeRefusal) -> (SecretBytes, COSEAlgorithm) {
    let key = try member("key", of: value) { (value) throws(WireError) in SecretBytes(try value.base64URL) }
    guard key.count <= Limits.keyByteCount, let algorithm = algorithm ?? PrivateKeyInfo.algorithm(of: key)
    else {
      throw ExchangeRefusal(.unusableKey, "the key is not a PKCS#8 key of a supported type")
    }
    do throws(PasskeyCryptoError) {
      return (try SigningKey(algorithm, pkcs8: key).pkcs8, algorithm)
    } catch {
      throw ExchangeRefusal(.unusableKey, "\(error)")
    }
  }

  private static func secrets(of extensions: JSONValue) throws(ExchangeRefusal) -> ExtensionSecrets? {
    let (algorithm, secrets) = try wrapping(.unusableExtension, "hmacCredentials") {
      () throws(WireError) -> (String, ExtensionSecrets?) in
      guard let value = try extensions["hmacCredentials"]?.unlessNull else { return (hmacAlgorithm, nil) }
      return (
        try value.require("algorithm").string,
        ExtensionSecrets(
          withVerification: SecretBytes(try value.require("credWithUV").base64URL),
          withoutVerification: SecretBytes(try value.require("credWithoutUV").base64URL))
      )
    }
    guard algorithm == hmacAlgorithm else {
      throw ExchangeRefusal(.unusableExtension, "hmacCredentials has another algorithm than \(hmacAlgorithm)")
    }
    guard let secrets else { return nil }
    guard Limits.secretByteCount ~= secrets.withVerification.count,
      Limits.secretByteCount ~= secrets.withoutVerification.count
    else { throw ExchangeRefusal(.unusableExtension, "hmacCredentials has a secret of another length than 32 bytes") }
    return secrets
  }

  private static func blob(of extensions: JSONValue) throws(ExchangeRefusal) -> [UInt8]? {
    let blob = try wrapping(.unusableExtension, "credBlob") { () throws(WireError) in
      try extensions["credBlob"]?.unlessNull?.base64URL
    }
    guard blob?.count ?? 0 <= Limits.blobByteCount else {
      throw ExchangeRefusal(.unusableExtension, "credBlob is longer than \(Limits.blobByteCount) bytes")
    }
    return blob
  }

  private static func largeBlob(of extensions: JSONValue) throws(ExchangeRefusal) -> LargeBlob? {
    let blob = try wrapping(.unusableExtension, "largeBlob") { () throws(WireError) -> LargeBlob? in
      guard let value = try extensions["largeBlob"]?.unlessNull else { return nil }
      return LargeBlob(
        uncompressedByteCount: try value.require("uncompressedSize").uint64,
        compressed: try value.require("data").base64URL)
    }
    guard blob?.uncompressedByteCount ?? 0 <= Limits.largeBlobByteCount,
      blob?.compressed.count ?? 0 <= DeviceLimits.maximumLargeBlobArrayByteCount
    else { throw ExchangeRefusal(.unusableExtension, "largeBlob is too long") }
    return blob
  }

  private static func wrapping<Value>(
    _ reason: ExcludedPasskey.Reason, _ name: String = "fido2Extensions", _ body: () throws(WireError) -> Value
  ) throws(ExchangeRefusal) -> Value {
    do throws(WireError) {
      return try body()
    } catch {
      throw ExchangeRefusal(reason, "\(name): \(error)")
    }
  }
}

extension NameTally {
  /// Counts the members of an object that have a value and are not in `known`.
  mutating func addMembers(of value: JSONValue?, except known: [String], as parent: String) {
    guard let members = try? value?.members else { return }
    for member in members where !known.contains(member.name) && !member.value.isEmpty {
      add("\(parent).\(member.name)")
    }
  }
}

extension JSONValue {
  /// Whether the value carries no information: null, false, or an empty string, array or object.
  fileprivate var isEmpty: Bool {
    switch kind {
    case .null: true
    case .bool: (try? bool) == false
    case .string: (try? utf8.isEmpty) == true
    case .array: (try? array.first { _ in true }) == nil
    case .object: (try? members.first { _ in true }) == nil
    case .number: false
    }
  }
}

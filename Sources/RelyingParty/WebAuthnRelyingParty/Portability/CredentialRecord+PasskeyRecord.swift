// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
public import WebAuthnTypes

// https://c2sp.org/passkey-record
//
// record     = "$webauthn$v=1$" [parameters "$"] base64 of the authenticator data of the registration, without padding
// parameters = name "=" value ["," …], of which this version knows transports: names joined with "+", sorted, each once
//
// Limits, which the format has too
//   authenticator data: 8,192 bytes
//   credential ID: 16 to 1,023 bytes
//   transports: 32, each of 1 to 32 characters

extension CredentialRecord {
  /// The registration as a passkey record: a string that other libraries read too, and that is stored like a password hash.
  ///
  /// It has the credential ID, the public key, the flags and counter of the registration, and the transports. What changes
  /// afterwards is not in it: store `signCount` and `backupState` beside it, or store `encoded`, which has everything.
  ///
  /// - Throws: `credential-record.missing-member` if the record has no attestation object, which names the flags,
  ///   `credential-record.invalid-member` if it is another credential's or the format has no place for it, or the code of one
  ///   that is malformed.
  public var passkeyRecord: String {
    get throws(FormatError) {
      guard let attestationObject else {
        throw FormatError(.credentialRecordMissingMember, at: 0, member: "attestationObject")
      }
      let data = try AttestationObject(parsing: attestationObject).authenticatorData
      let names = Set(transports.map(\.rawValue)).filter(PasskeyRecordText.isTransport).sorted()
        .prefix(PasskeyRecordText.maximumTransportCount)
      let parameters = names.isEmpty ? "" : "transports=\(names.joined(separator: "+"))$"
      let text = PasskeyRecordText.start + parameters + Base64.encode(data.encoded).prefix { $0 != "=" }
      // The format has limits that a registration has not, for example a credential ID of 16 bytes or more.
      guard let read = try? Self(passkeyRecord: text), read.id == id, read.publicKey == publicKey else {
        throw FormatError(.credentialRecordInvalidMember, at: 0, member: "attestationObject")
      }
      return text
    }
  }

  /// Reads a passkey record. Its authenticator data become an attestation object without attestation, so that
  /// `passkeyRecord` gives the same string again; parameters that this version does not know are dropped.
  ///
  /// - Throws: `credential-import.record-malformed`, `credential-import.key-malformed` or
  ///   `credential-import.record-inconsistent`.
  public init(passkeyRecord text: String) throws(CeremonyError) {
    let parts = try PasskeyRecordText(text)
    let data = try mapError(AuthenticatorData(parsing: parts.authenticatorData)) { (error: FormatError) in
      CeremonyError(.importRecordMalformed, cause: .format(error))
    }
    guard let credential = data.attestedCredentialData else { throw .malformed("attested credential data", "none") }
    _ = try mapError(CBORValue(parsing: credential.credentialPublicKey, rules: .canonical)) { (error: WireError) in
      CeremonyError(.importKeyMalformed, cause: .format(FormatError(.credentialRecordMalformed, error)))
    }
    let key = try mapError(COSEKey(parsing: credential.credentialPublicKey)) { (error: COSEError) in
      CeremonyError(.importKeyMalformed, cause: .key(error))
    }
    try mapError(key.requirePointOnCurve()) { (error: PasskeyCryptoError) in
      CeremonyError(.importKeyMalformed, cause: .crypto(error))
    }
    // §6.1.3: a credential that is not eligible for backup cannot be backed up.
    let flags = data.flags
    guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else {
      throw CeremonyError(.importRecordInconsistent, .init("backupState false or backupEligible true", "neither"))
    }
    guard credential.credentialID.count >= 16 else {
      throw .malformed("a credential ID of 16 bytes or more", "\(credential.credentialID.count) bytes")
    }
    let id = try mapError(CredentialID(credential.credentialID)) { (error: FormatError) in
      CeremonyError(.importRecordMalformed, cause: .format(error))
    }
    let object: CBORTree = [
      "fmt": .text(AttestationFormat.none.rawValue), "attStmt": [:], "authData": .bytes(parts.authenticatorData),
    ]
    self.init(
      id: id, publicKey: [UInt8](credential.credentialPublicKey), signCount: data.signCount,
      uvInitialized: flags.contains(.userVerified), transports: parts.transports,
      backupEligible: flags.contains(.backupEligible), backupState: flags.contains(.backedUp),
      attestationObject: CBORWriter.bytes(of: object))
  }
}

/// The parts of a passkey record.
private struct PasskeyRecordText {
  let transports: [AuthenticatorTransport]
  let authenticatorData: [UInt8]

  static let start = "$webauthn$v=1$"
  static let maximumTransportCount = 32
  private static let maximumByteCount = 8_192

  init(_ text: String) throws(CeremonyError) {
    guard text.hasPrefix(Self.start) else { throw .malformed(Self.start, "another beginning") }
    let parts = text.dropFirst(Self.start.count).split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count < 3, let encoded = parts.last else { throw .malformed("at most one list of parameters", "more") }
    transports = parts.count == 2 ? try Self.transports(parts[0]) : []
    // The padded form has one encoding only.
    guard !encoded.contains("="), encoded.utf8.count <= Self.maximumByteCount / 3 * 4 + 3 else {
      throw .malformed("base64 of at most \(Self.maximumByteCount) bytes, without padding", "another text")
    }
    let padding = String(repeating: "=", count: (4 - encoded.utf8.count % 4) % 4)
    authenticatorData = try mapError(Base64.decode(encoded + padding)) { (error: WireError) in
      CeremonyError(.importRecordMalformed, cause: .format(FormatError(.credentialRecordMalformed, error)))
    }
    guard authenticatorData.count <= Self.maximumByteCount else {
      throw .malformed("at most \(Self.maximumByteCount) bytes", "\(authenticatorData.count)")
    }
  }

  private static func transports(_ text: Substring) throws(CeremonyError) -> [AuthenticatorTransport] {
    var found: [String] = []
    var known: Set<Substring> = []
    for parameter in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, isName(parts[0]), parts[1].utf8.allSatisfy({ isOfValue($0) || $0 == UInt8(ascii: "+") })
      else { throw .malformed("NAME=VALUE", "\(parameter.utf8.count) other bytes") }
      guard known.insert(parts[0]).inserted else { throw .malformed("each parameter once", "one twice") }
      guard parts[0] == "transports" else { continue }
      let names = parts[1].split(separator: "+", omittingEmptySubsequences: false).map(String.init)
      guard names.count <= maximumTransportCount, names.allSatisfy(isTransport),
        zip(names, names.dropFirst()).allSatisfy({ $0.utf8.lexicographicallyPrecedes($1.utf8) })
      else { throw .malformed("transports that are sorted, each once", "\(names.count) others") }
      found = names
    }
    return found.map { AuthenticatorTransport(rawValue: $0) }
  }

  /// Whether a text is a name of a parameter. The name v is that of the version.
  private static func isName(_ text: Substring) -> Bool {
    (1...32).contains(text.utf8.count) && text != "v"
      && text.utf8.allSatisfy { isOfValue($0) && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      && !text.contains(".") && !text.contains("/")
  }

  static func isTransport(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(isOfValue)
  }

  private static func isOfValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

extension CeremonyError {
  fileprivate static func malformed(_ expected: String, _ received: String) -> Self {
    Self(.importRecordMalformed, .init(expected, received))
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension ArtifactKind {
  /// Returns the kind whose strict parser accepts all of the bytes; nil where none does.
  static func recognized(in bytes: Bytes) -> ArtifactKind? {
    if let value = try? JSON.parse(bytes, maximumSize: Inspection.maximumByteCount) { return of(value) }
    if let kind = ofDER(bytes) { return kind }
    if let value = try? CBORValue(parsing: bytes, rules: .wellFormed) {
      return of(value) ?? (isCTAPMessage(bytes) ? .ctapMessage : ofOtherBytes(bytes) ?? .cbor)
    }
    if isCTAPMessage(bytes) { return .ctapMessage }
    return ofOtherBytes(bytes) ?? ((try? CBORValue(parsing: bytes, rules: .general)) == nil ? nil : .cbor)
  }

  /// Returns the most likely kind of bytes that no strict parser accepts; nil where nothing suggests one.
  static func likely(in bytes: Bytes) -> ArtifactKind? {
    let item = LenientCBORReader.item(bytes)
    if item.member("fmt") != nil || item.member("attStmt") != nil || item.member("authData") != nil {
      return .attestationObject
    }
    if item.member(1) != nil, item.member(3) != nil || item.member(-1) != nil { return .coseKey }
    switch bytes.first {
    case UInt8(ascii: "{")?, UInt8(ascii: "[")?: return .json
    case 0x30? where bytes.dropFirst().first.map { $0 >= 0x80 } ?? false: return .certificate
    case 0x30? where bytes.dropFirst(2).first == 0x02 && bytes.count < 160: return .ecdsaSignature
    case 0x30?: return .der
    default: break
    }
    if looksLikeAuthenticatorData(bytes) { return .authenticatorData }
    if case .map(let pairs) = LenientCBORReader.item(bytes.dropFirst()).content, !pairs.isEmpty { return .ctapMessage }
    switch item.content {
    case .map, .array: return item.isCut ? nil : .cbor
    default: return nil
    }
  }

  // MARK: By encoding

  private static func of(_ value: JSONValue) -> ArtifactKind? {
    guard value.kind == .object else { return value.kind == .array ? .json : nil }
    let inner = Inspector.unwrapped(value, JSONShape.creationOptions)
    func has(_ name: String, in value: JSONValue) -> Bool { (try? value[name]) != nil }
    if let response = try? value["response"], response.kind == .object {
      if (try? response["attestationObject"]?.unlessNull) != nil { return .registrationResponse }
      if has("signature", in: response) { return .authenticationResponse }
    }
    if has("pubKeyCredParams", in: inner) { return .creationOptions }
    if has("challenge", in: inner) {
      return has("type", in: inner) && has("origin", in: inner) ? .clientData : .requestOptions
    }
    return .json
  }

  private static func of(_ value: CBORValue) -> ArtifactKind? {
    guard case .map(let map) = value.kind else { return nil }
    if map["fmt"] != nil, map["authData"] != nil { return .attestationObject }
    if (try? COSEKey(value)) != nil { return .coseKey }
    if let type = try? map[1]?.integer, (1...7).contains(type), map[3] != nil, map[-1] != nil { return .coseKey }
    return nil
  }

  private static func ofDER(_ bytes: Bytes) -> ArtifactKind? {
    guard bytes.first == 0x30 else { return nil }
    if (try? ECDSASignature(der: bytes)) != nil { return .ecdsaSignature }
    if (try? SubjectPublicKeyInfo(der: bytes)) != nil { return .publicKey }
    if (try? X509Certificate(der: bytes)) != nil { return .certificate }
    let isDER = (try? DERReader.parse(bytes) { (reader) throws(WireError) in try reader.read(.sequence) }) != nil
    return isDER ? .der : nil
  }

  private static func ofOtherBytes(_ bytes: Bytes) -> ArtifactKind? {
    (try? AuthenticatorData(parsing: bytes)) == nil ? nil : .authenticatorData
  }

  /// Whether the bytes are a command or status byte, followed by a map with unsigned keys (CTAP 2.3 §8).
  private static func isCTAPMessage(_ bytes: Bytes) -> Bool {
    guard let first = bytes.first, first == 0 || CTAPCommand(rawValue: first).name != nil,
      let value = try? CBORValue(parsing: bytes.dropFirst(), rules: .wellFormed), case .map(let map) = value.kind
    else { return false }
    return !map.isEmpty && map.allSatisfy { (try? $0.key.unsigned) != nil }
  }

  /// Whether no reserved flag is set, the length fits the flags, and the signature counter is below 2²⁴. Random bytes, such
  /// as a credential ID or an Ed25519 signature, rarely meet all three.
  private static func looksLikeAuthenticatorData(_ bytes: Bytes) -> Bool {
    let hashLength = AuthenticatorData.relyingPartyIDHashByteCount
    guard let flags = bytes.dropFirst(hashLength).first.map(AuthenticatorFlags.init(rawValue:)) else { return false }
    let signCountHighByte = bytes.dropFirst(hashLength + 1).first ?? 0
    let promisesMore = !flags.isDisjoint(with: [.attestedCredentialData, .extensionData])
    return flags.isDisjoint(with: .reserved) && signCountHighByte == 0
      && (promisesMore ? bytes.count > hashLength : bytes.count < 64)
  }
}

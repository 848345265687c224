// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

extension ArtifactKind {
  /// Returns the kind whose strict parser accepts all of the bytes; nil where none does.
  static func recognized(in bytes: some ByteSource) -> ArtifactKind? {
    let bytes = bytes.slice
    if let value = try? JSON.parse(bytes, maximumSize: Inspection.maximumByteCount) { return of(value) }
    if let kind = ofDER(bytes) { return kind }
    if let value = try? CBORValue(parsing: bytes, rules: .wellFormed) {
      return of(value)
        ?? (isCTAPMessage(bytes) ? .ctapMessage : ofOtherBytes(bytes) ?? (isEvident(value) ? .cbor : nil))
    }
    if isCTAPMessage(bytes) { return .ctapMessage }
    if let kind = ofOtherBytes(bytes) { return kind }
    return (try? CBORValue(parsing: bytes, rules: .general)).map(isEvident) ?? false ? .cbor : nil
  }

  /// Returns the most likely kind of bytes that no strict parser accepts; nil where nothing suggests one.
  static func likely(in bytes: some ByteSource) -> ArtifactKind? {
    let bytes = bytes.slice
    let item = LenientCBORReader.item(bytes)
    if item.member("fmt") != nil || item.member("attStmt") != nil || item.member("authData") != nil {
      return .attestationObject
    }
    if item.member(1) != nil, item.member(3) != nil || item.member(-1) != nil { return .coseKey }
    switch bytes.first {
    // Random bytes begin with a bracket once in 128 times, but are not text.
    case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
      if String(validating: bytes, as: UTF8.self) != nil { return .json }
    case 0x30?: if let kind = likelyDER(bytes) { return kind }
    default: break
    }
    if looksLikeAuthenticatorData(bytes) { return .authenticatorData }
    if isLikelyCTAPMessage(bytes) { return .ctapMessage }
    switch item.content {
    // A short item before other bytes is chance.
    case .map, .array: return item.isCut || item.span.count * 2 < bytes.count ? nil : .cbor
    default: return nil
    }
  }

  // MARK: By encoding

  /// Returns the kind of JSON; nil for a scalar.
  static func of(_ value: JSONValue) -> ArtifactKind? {
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
    // The text "0" is a sequence's tag too: the elements within must be DER.
    return isDER && bytes.count >= minimumDERCount && Inspector().der(bytes, named: "").isFlawless ? .der : nil
  }

  private static let minimumDERCount = 5

  /// Returns the kind of bytes that begin like DER but are cut or malformed. The length must be possible and the first
  /// element within must have a tag and a length of such structures.
  private static func likelyDER(_ bytes: Bytes) -> ArtifactKind? {
    let content: Bytes
    switch bytes.dropFirst().first {
    case 0x82?: content = bytes.dropFirst(4)
    case 0x81?: content = bytes.dropFirst(3)
    case (0..<0x80)?: content = bytes.dropFirst(2)
    default: return nil
    }
    guard let tag = content.first, let length = content.dropFirst().first else { return nil }
    if content.startIndex - bytes.startIndex == 4, tag == 0x30, length == 0x82 || length == 0x81 { return .certificate }
    // An ECDSA integer has at most 67 bytes (P-521).
    if tag == 0x02, length <= 67, bytes.count < 160, content.count > Int(length) { return .ecdsaSignature }
    let known: Set<UInt8> = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31, 0xa0]
    return known.contains(tag) && length < 0x80 && content.count >= Int(length) + 2 ? .der : nil
  }

  /// Whether CBOR without a known structure is more than a number that any byte could be: it is an array, a map or a tag,
  /// or a string of several bytes.
  private static func isEvident(_ value: CBORValue) -> Bool {
    switch value.kind {
    case .array, .map, .tagged: true
    case .bytes(let bytes): bytes.count >= minimumStringCount
    case .text(let text): text.count >= minimumStringCount
    default: false
    }
  }

  private static let minimumStringCount = 8

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

  /// Whether the bytes begin like a CTAP message: a command or the status OK, and a map with a first member of that message.
  private static func isLikelyCTAPMessage(_ bytes: Bytes) -> Bool {
    guard let first = bytes.first, first == 0 || CTAPCommand(rawValue: first).name != nil else { return false }
    let item = LenientCBORReader.item(bytes.dropFirst())
    guard case .map(let pairs) = item.content, let pair = pairs.first, pair.value?.isReadable ?? false else {
      return false
    }
    let fields = first == 0 ? CTAPFields.response(item)?.fields ?? [] : CTAPFields.request(CTAPCommand(rawValue: first))
    return fields.contains { pair.key.matches($0.key) }
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

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnTypes

/// An input that starts like a JSON object is a payload and is signed before parsing, because a fuzzer cannot forge
/// signatures. Any other input is a complete token.
func checkMetadata(_ input: Bytes) throws(Violation) {
  let service = try MetadataService.kept
  let isPayload = input.first == UInt8(ascii: "{")
  guard let token = isPayload ? try? service.token(of: input) : Array(input) else { return }
  let blob: MetadataBlob
  do throws(AttestationError) {
    blob = try service.read(token)
  } catch {
    return try require(isMetadata(error.code), "an unexpected error: \(error)")
  }
  try checkEntries(of: blob)
  // No other signer is accepted, and an older issue is rejected.
  try require((try? service.read(token, by: .fidoAlliance)) == nil, "accepted another signer")
  if blob.number < .max {
    try require((try? service.read(token, lastNumber: blob.number + 1)) == nil, "accepted an outdated issue")
  }
  try require((try? service.read(token, lastNumber: blob.number)) != nil, "the current issue is not accepted again")
}

private func checkEntries(of blob: MetadataBlob) throws(Violation) {
  let count = (try? blob.json.require("entries").array).map { Array($0).count } ?? -1
  try require(blob.entries.count + blob.refusedEntries.count == count, "entries are missing")
  for entry in blob.entries {
    if let aaguid = entry.aaguid { try require(blob[aaguid]?.aaguid == aaguid, "an authenticator model is not found") }
    for identifier in entry.certificateKeyIdentifiers {
      try require(blob.entry(certificateKeyIdentifier: identifier[...]) != nil, "a key identifier is not found")
    }
    _ = entry.statusHistory.report(
      of: AuthenticatorStatus.compromised, at: blob.nextUpdate, firmwareVersion: 1, certificates: [])
  }
}

private func isMetadata(_ code: AttestationError.Code) -> Bool {
  code.rawValue.hasPrefix("metadata.")
}

/// A metadata service that signs every payload and is its own trust anchor.
struct MetadataService: Sendable {
  private let key: SigningKey
  let certificate: [UInt8]
  private let signer: MetadataSigner

  static var kept: Self {
    get throws(Violation) {
      guard let made else { throw Violation(description: "the metadata service cannot be created") }
      return made
    }
  }

  private static let made = try? MetadataService()

  private init() throws {
    key = try .generate(.es256, random: .seeded([1], label: "metadata service"))
    certificate = try Self.certificate(of: key)
    signer = MetadataSigner(anchors: [try X509Certificate(der: certificate[...])], hostName: nil)
  }

  func token(of payload: Bytes) throws -> [UInt8] {
    let header = "{\"alg\":\"ES256\",\"x5c\":[\"\(Base64.encode(certificate))\"]}"
    let signed = "\(Base64URL.encode([UInt8](header.utf8))).\(Base64URL.encode(payload))"
    let signature = try ECDSASignature(der: key.sign([UInt8](signed.utf8)[...], .deterministic)[...])
    // RFC 7518 §3.4: both numbers have 32 octets each.
    let numbers = [signature.r, signature.s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
    return [UInt8]("\(signed).\(Base64URL.encode(numbers))".utf8)
  }

  func read(
    _ token: [UInt8], by other: MetadataSigner? = nil, lastNumber: UInt64 = 0
  ) throws(AttestationError) -> MetadataBlob {
    try MetadataBlob(
      verifying: token, signedBy: other ?? signer, at: UnixTime(secondsSince1970: 1_893_456_000),
      lastNumber: lastNumber, expiry: .used)
  }

  /// Returns a certificate that is its own anchor, as in some FIDO metadata.
  private static func certificate(of key: SigningKey) throws -> [UInt8] {
    let ecdsaWithSHA256: DERObjectIdentifier = [1, 2, 840, 10045, 4, 3, 2]
    let commonName: DERObjectIdentifier = [2, 5, 4, 3]
    let (notBefore, notAfter) = (
      UnixTime(secondsSince1970: 1_577_836_800), UnixTime(secondsSince1970: 2_208_988_800)
    )
    func writeName(_ writer: inout DERWriter) {
      writer.writeSequence {
        $0.writeSetOf([commonName]) { writer, attribute in
          writer.writeSequence {
            $0.writeObjectIdentifier(attribute)
            $0.writeUTF8String("Metadata")
          }
        }
      }
    }
    func writeAlgorithm(_ writer: inout DERWriter) {
      writer.writeSequence { $0.writeObjectIdentifier(ecdsaWithSHA256) }
    }
    var content = DERWriter()
    try content.writeSequence {
      $0.writeExplicit(0) { $0.writeInteger(2) }
      $0.writeInteger(1)
      writeAlgorithm(&$0)
      writeName(&$0)
      try $0.writeSequence {
        try $0.writeTime(notBefore)
        try $0.writeTime(notAfter)
      }
      writeName(&$0)
      $0.write(encoded: try key.publicKey.subjectPublicKeyInfo[...])
    }
    let signature = try key.sign(content.bytes[...], .deterministic)
    var writer = DERWriter()
    writer.writeSequence {
      $0.write(encoded: content.bytes[...])
      writeAlgorithm(&$0)
      $0.writeBitString(signature[...])
    }
    return writer.bytes
  }
}

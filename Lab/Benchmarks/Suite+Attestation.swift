// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTestSupport
internal import WebAuthnAttestation
internal import WebAuthnTypes

extension Suite {
  /// Statements of the standard's test vectors, from the object's bytes to the outcome, and the real metadata. Needs the shared
  /// vectors.
  static func attestation() throws -> [Benchmark] {
    guard SharedVectors.arePresent else { return [] }
    let cases = Array(
      try JSON.parse(SharedVectors.bytes("w3c-level3.json")[...], maximumSize: 1 << 20).require("cases").array)
    return try ["none", "packed-self", "packed", "fido-u2f", "android-key", "apple", "tpm"].map { name in
      let vector = try cases.first { try $0.require("id").string == "w3c/\(name).ES256/registration" }
      guard let vector else { throw MissingVector(name: name) }
      return try attestation(name, vector)
    } + [metadata()]
  }

  struct MissingVector: Error { let name: String }

  private static func attestation(_ name: String, _ vector: JSONValue) throws -> Benchmark {
    var policy = AttestationPolicy()
    let anchors = try vector["trustAnchors"].map { list in
      try list.array.map { try X509Certificate(der: $0.base64URL[...]) }
    }
    policy.trustAnchors = TrustAnchors(forEverything: anchors)
    let verifier = AttestationVerifier(policy: policy)
    let response = try vector.require("response").require("response")
    let object = try response.require("attestationObject").base64URL
    let clientData = try response.require("clientDataJSON").base64URL
    let time = UnixTime(secondsSince1970: 1_735_689_600)
    return Benchmark("attestation.\(name)") {
      {
        let object = try AttestationObject(parsing: object[...])
        guard let key = object.authenticatorData.attestedCredentialData?.credentialPublicKey else { return }
        keep(
          try verifier.verify(
            object.statement, format: object.format, authenticatorData: object.authenticatorData,
            credentialPublicKey: COSEKey(parsing: key), clientDataHash: Digest.sha256(clientData[...])[...], at: time))
      }
    }
  }

  private static func metadata() throws -> Benchmark {
    let token = try SharedVectors.bytes("mds/blob-no122-2024-12.jwt")
    let time = UnixTime(secondsSince1970: 1_735_257_600)
    return Benchmark("metadata.read", byteCount: token.count) {
      { keep(try MetadataBlob(verifying: token, at: time)) }
    }
  }
}

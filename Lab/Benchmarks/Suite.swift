// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTestSupport
internal import WebAuthnTypes

/// All benchmarks in the sequence of the output.
enum Suite {
  static func benchmarks() throws -> [Benchmark] {
    try verifications() + builtInMLDSA() + [signing()] + digests() + cbor() + certificates() + attestation()
      + ceremonies() + device() + service() + text()
  }

  private static func verifications() throws -> [Benchmark] {
    let algorithms: [(String, COSEAlgorithm)] = [
      ("es256", .es256), ("es384", .es384), ("es512", .es512), ("es256k", .es256k), ("ed25519", .eddsa),
      ("ed448", .ed448), ("rs256", .rs256), ("ps256", .ps256), ("ml-dsa-44", .mlDSA44), ("ml-dsa-65", .mlDSA65),
      ("ml-dsa-87", .mlDSA87),
    ]
    return try algorithms.filter { hasRawVerification($0.1) }.flatMap { (name, algorithm) in
      try verifications(name, SignatureFixture(algorithm), onTwoThreads: name == "es256" || name == "ed25519")
    }
  }

  /// Whether libcrypto can verify with the algorithm, for the ratio.
  private static func hasRawVerification(_ algorithm: COSEAlgorithm) -> Bool {
    let isBuiltIn = algorithm.definition?.scheme == .mlDSA && MLDSAImplementation.current == .builtIn
    return supportedAlgorithms.contains(algorithm) && !isBuiltIn
  }

  private static func verifications(
    _ name: String, _ fixture: SignatureFixture, onTwoThreads: Bool
  ) -> [Benchmark] {
    let rawName = "raw.\(name).verify"
    let encodedKey = fixture.key.encoded
    let raw = Benchmark(rawName, against: rawName) {
      let verification = try RawVerification(fixture)
      return { try verification.verify() }
    }
    let fromCOSE = Benchmark("\(name).verify.from-cose", against: rawName) {
      {
        try COSEKey(parsing: encodedKey[...]).verify(fixture.signature[...], over: fixture.message[...])
      }
    }
    let keptKey = try? VerifyingKey(fixture.key)
    let kept = Benchmark("\(name).verify.kept-key", against: rawName) {
      {
        try keptKey?.verify(fixture.signature[...], over: fixture.message[...])
      }
    }
    guard onTwoThreads else { return [raw, fromCOSE, kept] }
    // The threads share the cached values, which must not block them.
    let twice = [raw.onTwoThreads, fromCOSE.onTwoThreads, kept.onTwoThreads(goal: .scaling(atLeast: 1.85))]
    return [raw, fromCOSE, kept] + twice
  }

  private static func signing() -> Benchmark {
    Benchmark("es256.sign") {
      let key = try SigningKey.generate(.es256, random: .system)
      let message = [UInt8](repeating: 1, count: 69)
      return { keep(try key.sign(message[...])) }
    }
  }

  private static func digests() -> [Benchmark] {
    let clientData = [UInt8](repeating: 0x61, count: 134)
    let raw = Benchmark("raw.sha256", against: "raw.sha256", byteCount: clientData.count) {
      let digest = try RawDigest()
      return { try digest.hash(clientData) }
    }
    let own = Benchmark("digest.sha256", against: "raw.sha256", byteCount: clientData.count) {
      { keep(Digest.sha256(clientData[...])) }
    }
    return [raw, own, raw.onTwoThreads, own.onTwoThreads]
  }

  private static func cbor() -> [Benchmark] {
    func attestationObject(_ name: String, _ make: @escaping () throws -> [UInt8]) -> Benchmark {
      Benchmark(name) {
        let object = try make()
        return {
          let map = try CBORValue(parsing: object[...], rules: .wellFormed).map
          keep(try map.require("fmt").utf8)
          keep(try map.require("attStmt").map)
          keep(try map.require("authData").bytes)
        }
      }
    }
    return [
      attestationObject("cbor.none", Fixtures.none),
      attestationObject("cbor.packed", Fixtures.packed),
      Benchmark("authenticator-data.read") {
        let bytes = try Fixtures.attestedData()
        return { keep(try AuthenticatorData(parsing: bytes[...])) }
      },
      Benchmark("cose.es256.read") {
        let bytes = try SignatureFixture(.es256).key.encoded
        return { keep(try COSEKey(parsing: bytes[...])) }
      },
      Benchmark("cose.es256.write") {
        let key = try SignatureFixture(.es256).key
        return { keep(key.encoded) }
      },
    ]
  }

  private static func certificates() throws -> [Benchmark] {
    func sample(_ name: String) throws -> [UInt8] {
      try File.bytes("\(projectFolder)/Vectors/corpus/certificate/\(name)")
    }
    let leaf = try sample("leaf-of-root-p256")
    let root = try X509Certificate(der: sample("root-p256")[...])
    return [
      Benchmark("certificate.read") {
        { keep(try X509Certificate(der: leaf[...])) }
      },
      // One certificate to read and one ES256 signature to verify.
      Benchmark("certificate.path") {
        let store = TrustStore([root])
        return { keep(try store.validate(X509Certificate(der: leaf[...]), at: root.notBefore)) }
      },
    ]
  }

  private static func text() -> [Benchmark] {
    let long = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let text = Array(Base64URL.encode(long).utf8)
    let challenge = Array(Base64URL.encode(long.prefix(32)).utf8)
    return [
      Benchmark("json.authentication-response") {
        let body = try Fixtures.authenticationResponse()
        return {
          let message = try JSON.parse(body[...])
          let response = try message.require("response")
          keep(try message.require("rawId").base64URL)
          keep(try response.require("clientDataJSON").base64URL)
          keep(try response.require("authenticatorData").base64URL)
          keep(try response.require("signature").base64URL)
          keep(try response["userHandle"]?.unlessNull?.base64URL)
        }
      },
      // All JSON of a sign-in: the body, its base64url, and the client data.
      Benchmark("authentication-response.read") {
        let body = try Fixtures.authenticationResponse()
        return {
          let response = try AuthenticationResponse(json: body[...])
          keep(try ClientData(parsing: response.clientDataJSON))
        }
      },
      Benchmark("client-data.read") {
        let body = try Fixtures.authenticationResponse()
        let clientData = try AuthenticationResponse(json: body[...]).clientDataJSON
        return { keep(try ClientData(parsing: clientData)) }
      },
      Benchmark("base64url.decode", byteCount: text.count) {
        { keep(try Base64URL.decode(text[...])) }
      },
      Benchmark("base64url.decode.challenge", byteCount: challenge.count) {
        { keep(try Base64URL.decode(challenge[...])) }
      },
      Benchmark("base64url.encode", byteCount: long.count) {
        { keep(Base64URL.encode(long)) }
      },
    ]
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats

/// Makes the files of `Examples/artifacts` from fixed private keys, the same bytes each time.
struct ExampleArtifacts {
  static let relyingPartyID = "raxx.app"
  private static let origin = "https://raxx.app"
  private static let aaguid = [UInt8]("passkey-examples".utf8)
  static let credentialID = Digest.sha256([UInt8]("example credential".utf8)[...])

  let credentialKey: SigningKey
  let attestationKey: SigningKey

  init() throws {
    credentialKey = try Self.key("credential key")
    attestationKey = try Self.key("attestation key")
  }

  private static func key(_ label: String) throws -> SigningKey {
    try .generate(.es256, random: .seeded([UInt8]("passkey examples".utf8)[...], label: label))
  }

  /// The files by name.
  func files() throws -> [String: [UInt8]] {
    let attestationObject = try self.attestationObject()
    return [
      "creation-options.json": creationOptions,
      "request-options.json": requestOptions,
      "registration-response.json": registrationResponse(attestationObject),
      "authentication-response.json": try authenticationResponse(),
      "attestation-object.b64u": line(Base64URL.encode(attestationObject)),
      "attestation-object-cut.b64u": line(Base64URL.encode(attestationObject.dropLast(40))),
      "authenticator-data.hex": line(Hex.encode(registrationData)),
      "cases.json": try cases(attestationObject),
      "certificate.pem": line(Self.pem(try certificate())),
      "metadata.jwt": try metadata(),
      "passkey.json": try exchangedPasskey,
      "credential-exchange.json": try credentialExchange,
    ]
  }

  private func line(_ text: String) -> [UInt8] { [UInt8]((text + "\n").utf8) }

  private static func pem(_ certificate: [UInt8]) -> String {
    let letters = Base64.encode(certificate)
    let lines = stride(from: 0, to: letters.count, by: 64).map { letters.dropFirst($0).prefix(64) }
    return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----"]).joined(separator: "\n")
  }

  // MARK: Authenticator

  private func authenticatorData(flags: UInt8, signCount: UInt32) -> ByteWriter {
    var writer = ByteWriter()
    writer.write(Digest.sha256([UInt8](Self.relyingPartyID.utf8)[...]))
    writer.write(flags)
    writer.write(signCount)
    return writer
  }

  private var registrationData: [UInt8] {
    var writer = authenticatorData(flags: 0xc5, signCount: 0)
    writer.write(Self.aaguid)
    writer.write(UInt16(Self.credentialID.count))
    writer.write(Self.credentialID)
    writer.write(credentialKey.publicKey.encoded)
    writer.write(CBORWriter.bytes(of: ["credProtect": 2]))
    return writer.bytes
  }

  private func attestationObject() throws -> [UInt8] {
    let signed = registrationData + Digest.sha256(clientData("webauthn.create")[...])
    let statement: CBORTree = [
      "alg": .integer(COSEAlgorithm.es256.rawValue),
      "sig": .bytes(try attestationKey.sign(signed[...], .deterministic)),
      "x5c": [.bytes(try certificate())],
    ]
    return CBORWriter.bytes(of: ["fmt": "packed", "attStmt": statement, "authData": .bytes(registrationData)])
  }

  /// Returns a self-issued batch certificate that meets WebAuthn §8.2.1.
  func certificate() throws -> [UInt8] {
    var content = DERWriter()
    try content.writeSequence { content in
      content.writeExplicit(0) { $0.writeInteger(2) }
      content.writeInteger(1)
      content.writeSequence { $0.writeObjectIdentifier([1, 2, 840, 10045, 4, 3, 2]) }
      Self.writeName(into: &content)
      try content.writeSequence { validity in
        try validity.writeTime(UnixTime(secondsSince1970: 1_735_689_600))
        try validity.writeTime(UnixTime(secondsSince1970: 2_366_841_600))
      }
      Self.writeName(into: &content)
      content.write(encoded: try attestationKey.publicKey.subjectPublicKeyInfo[...])
      content.writeExplicit(3) { $0.writeSequence(Self.writeExtensions) }
    }
    let signature = try attestationKey.sign(content.bytes[...], .deterministic)
    var whole = DERWriter()
    whole.writeSequence {
      $0.write(encoded: content.bytes[...])
      $0.writeSequence { $0.writeObjectIdentifier([1, 2, 840, 10045, 4, 3, 2]) }
      $0.writeBitString(signature[...])
    }
    return whole.bytes
  }

  private static func writeName(into writer: inout DERWriter) {
    let attributes: [(DERObjectIdentifier, String)] = [
      ([2, 5, 4, 6], "SE"), ([2, 5, 4, 10], "Passkey Examples"), ([2, 5, 4, 11], "Authenticator Attestation"),
      ([2, 5, 4, 3], "Passkey Examples Batch 1"),
    ]
    writer.writeSequence { names in
      for attribute in attributes {
        names.writeSetOf([attribute]) { set, attribute in
          set.writeSequence {
            $0.writeObjectIdentifier(attribute.0)
            $0.writeUTF8String(attribute.1)
          }
        }
      }
    }
  }

  private static func writeExtensions(into writer: inout DERWriter) {
    writer.writeSequence {
      $0.writeObjectIdentifier([2, 5, 29, 19])
      $0.writeBoolean(true)
      $0.writeOctetString { $0.writeSequence { _ in } }
    }
    writer.writeSequence {
      $0.writeObjectIdentifier([1, 3, 6, 1, 4, 1, 45724, 1, 1, 4])
      $0.writeOctetString { $0.writeOctetString(aaguid[...]) }
    }
  }

  // MARK: Client

  private func clientData(_ type: String) -> [UInt8] {
    JSON.writeObject {
      $0.write("type", .string(type))
      $0.write("challenge", .base64URL(Self.challenge(type)))
      $0.write("origin", .string(Self.origin))
      $0.write("crossOrigin", .bool(false))
    }
  }

  private static func challenge(_ type: String) -> [UInt8] {
    Digest.sha256([UInt8]("challenge of \(type)".utf8)[...])
  }

  private func registrationResponse(_ attestationObject: [UInt8]) -> [UInt8] {
    response {
      $0.write("clientDataJSON", .base64URL(clientData("webauthn.create")))
      $0.write("attestationObject", .base64URL(attestationObject))
      $0.writeArray("transports") {
        $0.write("usb")
        $0.write("nfc")
      }
    }
  }

  private func authenticationResponse() throws -> [UInt8] {
    let data = authenticatorData(flags: 0x05, signCount: 1).bytes
    let clientData = clientData("webauthn.get")
    let signature = try credentialKey.sign((data + Digest.sha256(clientData[...]))[...], .deterministic)
    return response {
      $0.write("clientDataJSON", .base64URL(clientData))
      $0.write("authenticatorData", .base64URL(data))
      $0.write("signature", .base64URL(signature))
      $0.write("userHandle", .base64URL([UInt8]("user-1".utf8)))
    }
  }

  private func response(_ members: (inout JSONObjectWriter) -> Void) -> [UInt8] {
    JSON.writeObject(.pretty) {
      $0.write("id", .base64URL(Self.credentialID))
      $0.write("rawId", .base64URL(Self.credentialID))
      $0.write("type", "public-key")
      $0.writeObject("response", members)
      $0.writeObject("clientExtensionResults") { _ in }
    } + [UInt8(ascii: "\n")]
  }

  // MARK: Cases

  /// Two valid cases and three with a change.
  private func cases(_ attestationObject: [UInt8]) throws -> [UInt8] {
    let registration = try JSON.parse(registrationResponse(attestationObject)[...])
    let authentication = try JSON.parse(try authenticationResponse()[...])
    let certificate = try certificate()
    return JSON.writeObject(.pretty) {
      $0.write("schema", "webauthn-vectors/1")
      $0.write("source", "Tests/Programs/WebAuthnInspectionTests/ExampleArtifacts.swift")
      $0.write("license", "Apache-2.0")
      $0.writeArray("cases") { cases in
        cases.writeObject {
          Self.writeBeginning("example/registration", "registration", into: &$0)
          $0.writeArray("trustAnchors") { $0.write(.base64URL(certificate)) }
          $0.write("time", "2026-01-01T00:00:00Z")
          $0.write("response", .value(registration))
          $0.writeObject("expect") {
            $0.write("verified", true)
            $0.writeObject("attestation") {
              $0.write("format", "packed")
              $0.write("type", "basic")
            }
          }
        }
        cases.writeObject {
          Self.writeBeginning(
            "example/registration-at-another-origin", "registration", origin: "https://other.example", into: &$0)
          $0.write("response", .value(registration))
          Self.writeRefusal("registration.origin-mismatch", step: 9, into: &$0)
        }
        cases.writeObject {
          Self.writeBeginning("example/authentication", "authentication", into: &$0)
          writeCredential(credentialKey, into: &$0)
          $0.write("response", .value(authentication))
          $0.writeObject("expect") { $0.write("verified", true) }
        }
        cases.writeObject {
          Self.writeBeginning(
            "example/authentication-of-another-challenge", "authentication", challengeOf: "webauthn.create", into: &$0)
          writeCredential(credentialKey, into: &$0)
          $0.write("response", .value(authentication))
          Self.writeRefusal("authentication.challenge-mismatch", step: 11, into: &$0)
        }
        cases.writeObject {
          Self.writeBeginning("example/authentication-by-another-key", "authentication", into: &$0)
          writeCredential(attestationKey, into: &$0)
          $0.write("response", .value(authentication))
          Self.writeRefusal("authentication.signature-invalid", step: 21, into: &$0)
        }
      }
    } + [UInt8(ascii: "\n")]
  }

  private static func writeBeginning(
    _ id: String, _ ceremony: String, origin: String = Self.origin, challengeOf type: String? = nil,
    into output: inout JSONObjectWriter
  ) {
    output.write("id", .string(id))
    output.write("ceremony", .string(ceremony))
    let type = type ?? (ceremony == "registration" ? "webauthn.create" : "webauthn.get")
    output.write("challenge", .base64URL(challenge(type)))
    output.writeObject("rp") {
      $0.write("id", .string(relyingPartyID))
      $0.writeArray("origins") { $0.write(.string(origin)) }
    }
    output.write("userVerification", "required")
    output.writeArray("algorithms") { $0.write(.integer(COSEAlgorithm.es256.rawValue)) }
  }

  private func writeCredential(_ key: SigningKey, into output: inout JSONObjectWriter) {
    output.writeObject("credential") {
      $0.write("id", .base64URL(Self.credentialID))
      $0.write("publicKey", .base64URL(key.publicKey.encoded))
      $0.write("signCount", 0)
    }
  }

  private static func writeRefusal(_ code: String, step: Int, into output: inout JSONObjectWriter) {
    output.writeObject("expect") {
      $0.write("verified", false)
      $0.write("code", .string(code))
      $0.write("step", .integer(step))
    }
  }

  // MARK: Server options

  private var creationOptions: [UInt8] {
    JSON.writeObject(.pretty) {
      $0.writeObject("rp") {
        $0.write("id", .string(Self.relyingPartyID))
        $0.write("name", "Raxx")
      }
      $0.writeObject("user") {
        $0.write("id", .base64URL([UInt8]("user-1".utf8)))
        $0.write("name", "ada@example.org")
        $0.write("displayName", "Ada")
      }
      $0.write("challenge", .base64URL(Self.challenge("webauthn.create")))
      $0.writeArray("pubKeyCredParams") { parameters in
        for algorithm in [COSEAlgorithm.es256, .eddsa, .rs256] {
          parameters.writeObject {
            $0.write("type", "public-key")
            $0.write("alg", .integer(algorithm.rawValue))
          }
        }
      }
      $0.write("attestation", "direct")
    } + [UInt8(ascii: "\n")]
  }

  private var requestOptions: [UInt8] {
    JSON.writeObject(.pretty) {
      $0.write("challenge", .base64URL(Self.challenge("webauthn.get")))
      $0.write("rpId", .string(Self.relyingPartyID))
      $0.writeArray("allowCredentials") {
        $0.writeObject {
          $0.write("type", "public-key")
          $0.write("id", .base64URL(Self.credentialID))
        }
      }
      $0.write("userVerification", "required")
    } + [UInt8(ascii: "\n")]
  }
}

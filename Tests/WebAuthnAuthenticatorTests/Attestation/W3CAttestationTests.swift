// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes
import WireFormats

/// The makers make the attestation objects of WebAuthn Level 3's own test vectors, byte for byte.
@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct W3CAttestationTests {
  static let names = [
    "none.ES256", "none.ES256.crossOrigin", "none.ES256.topOrigin", "none.ES256.long-credential-id",
    "packed-self.ES256", "packed.ES256", "packed.ES384", "packed.ES512", "packed.RS256", "packed.EdDSA",
    "packed.Ed448", "tpm.ES256", "android-key.ES256", "apple.ES256", "fido-u2f.ES256",
  ]

  @Test(arguments: names) func `an attestation object is the standard's, byte for byte`(name: String) throws {
    let vector = try W3CRegistration(name)
    let statement = try vector.statement()
    let made = CBORWriter.bytes(of: [
      "fmt": .text(vector.object.format.rawValue), "attStmt": statement,
      "authData": .bytes([UInt8](vector.object.authenticatorData.encoded)),
    ])
    #expect(made[...] == vector.object.encoded)
  }

  @Test func `the authority's certificate is the standard's, byte for byte`() throws {
    let values = try W3CValues("Attestation CA")
    let made = try W3CRegistration.authority().root(
      serialNumber: values["attestation_ca_serial_number"], validity: W3CRegistration.validity
    ).certificate(signedBy: W3CRegistration.authority().key, .deterministic)
    #expect(try made == values["attestation_ca_cert"])
  }
}

/// The private values of one of the standard's vectors.
private struct W3CValues {
  private let values: JSONValue

  init(_ name: String) throws {
    let file = try JSON.parse(SharedVectors.bytes("w3c-keys.json")[...], maximumSize: 1 << 20)
    let vector = try file.require("vectors").require(name)
    values = try vector["registration"] ?? vector
  }

  subscript(name: String) -> [UInt8] {
    get throws { try Hex.decode(values.require(name).string) }
  }
}

/// A registration of the standard's vectors, with what it was made of.
private struct W3CRegistration {
  let object: AttestationObject
  private let name: String
  private let values: W3CValues
  private let clientDataHash: [UInt8]

  static let validity =
    Timestamp(secondsSince1970: 1_704_067_200)...Timestamp(secondsSince1970: 33_260_976_000)

  init(_ name: String) throws {
    self.name = name
    values = try W3CValues(name)
    let file = try JSON.parse(SharedVectors.bytes("w3c-level3.json")[...], maximumSize: 1 << 20)
    let cases = try file.require("cases").array
    let found = try cases.first { try $0.require("id").string == "w3c/\(name)/registration" }
    let response = try RegistrationResponse(json: #require(found).require("response").encoded)
    object = try AttestationObject(parsing: response.attestationObject)
    clientDataHash = Digest.sha256(response.clientDataJSON)
  }

  static func authority() throws -> CertificateIssuer {
    let key = try SigningKey(
      .es256, privateKey: SecretBytes(W3CValues("Attestation CA")["attestation_ca_key"][...]))
    return CertificateIssuer(name: Self.subject("Authenticator Attestation CA"), key: key)
  }

  func statement() throws -> CBORTree {
    let key = try credentialKey()
    let subject = AttestationSubject(
      authenticatorData: object.authenticatorData, clientDataHash: clientDataHash[...], credentialKey: key,
      signing: .deterministic)
    switch name.split(separator: ".").first {
    case "none": return try NoneAttestationMaker().statement(for: subject)
    case "packed-self": return try SelfAttestationMaker().statement(for: subject)
    case "packed": return try PackedAttestationMaker(identity()).statement(for: subject)
    case "fido-u2f": return try FIDOU2FAttestationMaker(identity()).statement(for: subject)
    case "tpm": return try tpmStatement(for: subject)
    case "apple":
      return try AppleAttestationMaker(
        Self.authority(), name: Self.subject("Authenticator Attestation"), serialNumber: serialNumber(),
        validity: Self.validity
      ).statement(for: subject)
    default: return try androidStatement(for: subject)
    }
  }

  private func tpmStatement(for subject: AttestationSubject) throws -> CBORTree {
    let maker = TPMAttestationMaker(
      try identity(.empty) { (certificate) in
        certificate.extensions += [
          .attestationKeyPurpose,
          .trustedPlatformModule(
            manufacturer: "id:00000000", model: "WebAuthn test vectors", version: "id:00000000"),
        ]
      })
    var certification = try maker.certification(of: subject)
    certification.clockInfo = hex("0000000000000000 11111111 22222222 33")
    return try maker.statement(for: subject, certification)
  }

  private func androidStatement(for subject: AttestationSubject) throws -> CBORTree {
    let maker = AndroidKeyAttestationMaker(
      try Self.authority(), name: Self.subject("Authenticator Attestation"), serialNumber: try serialNumber(),
      validity: Self.validity)
    var description = AndroidKeyDescription(of: subject)
    description.attestationSecurityLevel = 0
    description.keyMintVersion = 0
    description.keyMintSecurityLevel = 0
    return try maker.statement(for: subject, maker.certificate(for: subject, description))
  }

  private func identity(
    _ name: CertificateName = subject("Authenticator Attestation"),
    _ change: (inout CertificateMaker) -> Void = { _ in }
  ) throws -> AttestationIdentity {
    let key = try SigningKey(.es256, privateKey: SecretBytes(values["attestation_private_key"][...]))
    let authority = try Self.authority()
    var certificate = try authority.leaf(
      name, publicKey: key.publicKey, serialNumber: serialNumber(), validity: Self.validity)
    change(&certificate)
    return AttestationIdentity(
      key: key, certificates: [try certificate.certificate(signedBy: authority.key, .deterministic)])
  }

  private func serialNumber() throws -> [UInt8] { try values["attestation_cert_serial_number"] }

  private func credentialKey() throws -> SigningKey {
    switch name.split(separator: ".").dropFirst().first {
    case "RS256": try SigningKey(.rs256, primes: Self.mersenne(1279), Self.mersenne(2203))
    case "ES384": try key(.es384)
    case "ES512": try key(.es512)
    case "EdDSA": try SigningKey(.eddsa, privateKey: SecretBytes(values["private_key"][...]))
    case "Ed448": try SigningKey(.ed448, privateKey: SecretBytes(values["private_key"][...]))
    default: try key(.es256)
    }
  }

  private func key(_ algorithm: COSEAlgorithm) throws -> SigningKey {
    try SigningKey(algorithm, privateKey: SecretBytes(values["credential_private_key"][...]))
  }

  /// 2ⁿ − 1.
  private static func mersenne(_ bitCount: Int) -> SecretBytes {
    SecretBytes(
      ([UInt8](repeating: 0x7f >> (7 - UInt8(bitCount % 8)), count: 1) + [UInt8](repeating: 0xff, count: bitCount / 8))[
        ...])
  }

  private static func subject(_ unit: String) -> CertificateName {
    CertificateName(
      .init(.commonName, "WebAuthn test vectors"), .init(.organizationName, "W3C"),
      .init(.organizationalUnitName, unit), .init(.countryName, "AA"))
  }
}

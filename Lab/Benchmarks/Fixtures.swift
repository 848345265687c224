// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// A signed message with the size of a sign-in's: authenticator data and the hash of the client data.
struct SignatureFixture {
  let signingKey: SigningKey
  let message: [UInt8]
  let signature: [UInt8]

  var key: COSEKey { signingKey.publicKey }

  init(_ algorithm: COSEAlgorithm) throws {
    let random = RandomSource.seeded(Array("benchmarks".utf8)[...], label: algorithm.description)
    signingKey = try SigningKey.generate(algorithm, random: random)
    message = try random.bytes(37 + 32)
    signature = try signingKey.sign(message[...])
  }
}

/// Artifacts of authenticators.
enum Fixtures {
  /// Authenticator data with a new credential: an ES256 key with an id of 16 bytes.
  static func attestedData() throws -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Digest.sha256(Array("raxx.app".utf8)[...]))
    writer.write(0x45 as UInt8)
    writer.write(0 as UInt32)
    writer.write([UInt8](repeating: 0x2a, count: 16))
    writer.write(16 as UInt16)
    writer.write([UInt8](repeating: 0x17, count: 16))
    writer.write(try SignatureFixture(.es256).key.encoded)
    return writer.bytes
  }

  /// An attestation object without attestation.
  static func none() throws -> [UInt8] {
    CBORWriter.bytes(of: ["fmt": "none", "attStmt": [:], "authData": .bytes(try attestedData())])
  }

  /// A packed attestation with a signature and a certificate's worth of bytes.
  static func packed() throws -> [UInt8] {
    let statement: CBORTree = [
      "alg": .integer(COSEAlgorithm.es256.rawValue),
      "sig": .bytes(try SignatureFixture(.es256).signature),
      "x5c": [.bytes([UInt8](repeating: 0x30, count: 700))],
    ]
    return CBORWriter.bytes(of: ["fmt": "packed", "attStmt": statement, "authData": .bytes(try attestedData())])
  }

  /// A registration response as JSON, without attestation or with self attestation.
  static func registrationResponse(isAttested: Bool) throws -> [UInt8] {
    let challenge = try Challenge([UInt8](repeating: 0xa7, count: 32))
    let clientData = ClientData(type: .create, challenge: challenge, origin: try WebOrigin("https://raxx.app")).encoded
    let data = try attestedData()
    let signed = data + Digest.sha256(clientData)
    let statement: CBORTree =
      isAttested
      ? [
        "alg": .integer(COSEAlgorithm.es256.rawValue),
        "sig": .bytes(try SignatureFixture(.es256).signingKey.sign(signed[...])),
      ] : [:]
    let object = CBORWriter.bytes(of: [
      "fmt": isAttested ? "packed" : "none", "attStmt": statement, "authData": .bytes(data),
    ])
    return try RegistrationResponse(
      id: CredentialID([UInt8](repeating: 0x17, count: 16)), authenticatorAttachment: .platform,
      clientDataJSON: clientData, attestationObject: object[...], transports: [.hybrid, .internal],
      clientExtensionResults: ["credProps": ["rk": true]],
      copies: RegistrationResponse.Copies(
        authenticatorData: data[...], publicKey: SignatureFixture(.es256).key.subjectPublicKeyInfo[...],
        publicKeyAlgorithm: .es256)
    ).json
  }

  /// An authentication response as JSON.
  static func authenticationResponse() throws -> [UInt8] {
    let clientData = """
      {"type":"webauthn.get","challenge":"\(Base64URL.encode([UInt8](repeating: 0xa7, count: 32)))",\
      "origin":"https://raxx.app","crossOrigin":false}
      """
    let fixture = try SignatureFixture(.es256)
    let id = Base64URL.encode([UInt8](repeating: 0x17, count: 16))
    let json = """
      {"id":"\(id)","rawId":"\(id)","type":"public-key","authenticatorAttachment":"platform",\
      "clientExtensionResults":{},"response":{"clientDataJSON":"\(Base64URL.encode(Array(clientData.utf8)))",\
      "authenticatorData":"\(Base64URL.encode(fixture.message.prefix(37)))",\
      "signature":"\(Base64URL.encode(fixture.signature))",\
      "userHandle":"\(Base64URL.encode([UInt8](repeating: 0x51, count: 32)))"}}
      """
    return Array(json.utf8)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
public import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnTypes

/// One of the standard's test vectors for the extension prf over CTAP 2's hmac-secret, made by the software authenticator.
/// Each random value is SHA-256 of a seed and a number.
public struct W3CPRF: Sendable {
  /// The vector's name in the standard.
  public let name: String
  let version: UInt64
  /// The numbers of one or two inputs.
  let inputs: [UInt8]
  /// The number of the salts' initialization vector. PIN protocol one has no initialization vectors.
  let saltVector: UInt8
  /// The number of the outputs' initialization vector.
  let outputVector: UInt8

  /// Every vector, in the standard's order.
  public static let all = [
    W3CPRF(
      name: "Single input case using PIN protocol 2", version: 2, inputs: [0x02], saltVector: 0x07, outputVector: 0x09),
    W3CPRF(
      name: "Two input case using PIN protocol 2", version: 2, inputs: [0x02, 0x03], saltVector: 0x08,
      outputVector: 0x0a),
    W3CPRF(
      name: "Single input case using PIN protocol 1", version: 1, inputs: [0x02], saltVector: 0x07, outputVector: 0x09),
  ]

  static let schema = "webauthn-prf-vectors/1"

  /// Makes the text of the file with every vector: indented JSON, the same bytes each time.
  ///
  /// - Throws: `PasskeyCryptoError` where libcrypto or the authenticator fails.
  public static func text() async throws(PasskeyCryptoError) -> [UInt8] {
    var vectors: [JSONDraft] = []
    for vector in all { vectors.append(try await vector.json()) }
    let made = vectors
    let deviceKey = try KeyAgreement(privateScalar: SecretBytes(value(0x05)[...])).publicKey
    guard case .ec2(_, let x, let y) = deviceKey.material else { throw PasskeyCryptoError(.keyMismatch) }
    let shared: JSONDraft = .object([
      "authenticator_cred_random": .hex(value(0x06)), "platform_key_agreement_private_key": .hex(value(0x04)),
      "authenticator_key_agreement_public_key": .object([
        "kty": .integer(2), "alg": .integer(Int(deviceKey.algorithm.rawValue)), "crv": .integer(1),
        "x": .hex([UInt8](x)), "y": .hex([UInt8](y)),
      ]),
    ])
    let bytes = JSON.writeObject(.pretty) { (object) in
      object.write("schema", .string(schema))
      object.write("source", "passkey vectors generate w3c")
      object.write("license", "Apache-2.0")
      object.writeObject("ctap2") { (inside) in
        shared.write(as: "shared", into: &inside)
        JSONDraft.array(made).write(as: "vectors", into: &inside)
      }
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  private static let seed = [UInt8]("WebAuthn PRF test vectors".utf8)

  private static func value(_ number: UInt8) -> [UInt8] { Digest.sha256((seed + [number])[...]) }

  private static func vector(_ number: UInt8) -> [UInt8] { [UInt8](value(number).prefix(AES256CBC.blockByteCount)) }
}

// MARK: One vector

extension W3CPRF {
  private func json() async throws(PasskeyCryptoError) -> JSONDraft {
    let evaluations = inputs.map { (number) in Self.seed + [number] }
    // WebAuthn §10.1.4: a prefix separates the inputs of web pages from those of the platform.
    let salts = evaluations.map { (input) in Digest.sha256(([UInt8]("WebAuthn PRF".utf8) + [0x00] + input)[...]) }
    let exchange = try W3CPRFExchange(version, platform: Self.value(0x04), device: Self.value(0x05))
    let encryptedSalts = try exchange.encrypt(salts.flatMap { $0 }, Self.vector(saltVector))
    let encryptedOutputs = try await answer(exchange.input(encryptedSalts))
    let outputs = try exchange.decrypt(encryptedOutputs)

    var members: [JSONDraft.Member] = [
      .init(name: "name", value: .string(name)), .init(name: "pinProtocol", value: .integer(Int(version))),
    ]
    func add(_ names: [String], _ values: [[UInt8]]) {
      members += zip(names, values).map { JSONDraft.Member(name: $0, value: .hex($1)) }
    }
    let halves = [[UInt8](outputs.prefix(32))] + (inputs.count > 1 ? [[UInt8](outputs.dropFirst(32))] : [])
    add(["prf_eval_first", "prf_eval_second"], evaluations)
    add(["shared_secret"], [exchange.sharedSecret.exposedBytes])
    add(["salt1", "salt2"], salts)
    add(["salt_enc"], [encryptedSalts])
    add(["output1", "output2"], halves)
    add(["output_enc"], [encryptedOutputs])
    add(["prf_results_first", "prf_results_second"], halves)
    return .object(members)
  }

  /// Returns the authenticator's output. A new authenticator on the same vault serves the authentication, so that each
  /// ceremony has its own list of random values.
  private func answer(_ input: HMACSecretInput) async throws(PasskeyCryptoError) -> [UInt8] {
    do {
      let id = try CredentialID(Self.value(0x00)[...])
      let deviceKey = Self.value(0x05)
      let vault = MemoryVault(try .factory(random: .seeded(Self.seed[...], label: "vault")))
      let hash = Digest.sha256(Self.seed[...])

      var making = MakeCredentialRequest(
        clientDataHash: hash[...], relyingPartyID: W3CVector.relyingPartyID,
        user: PasskeyUser(id: try UserHandle(Self.seed[...])), parameters: [CredentialParameters(algorithm: .es256)])
      making.extensions.hmacSecret = true
      let credRandom = Self.value(0x06)
      let storeState = [UInt8](repeating: 0, count: 16)
      let first = try device(vault, id, [deviceKey, deviceKey, credRandom, credRandom, storeState])
      _ = try await first.perform(.makeCredential, making.encoded)

      var asking = GetAssertionRequest(
        relyingPartyID: W3CVector.relyingPartyID, clientDataHash: hash[...], allowList: [CredentialDescriptor(id: id)])
      asking.extensions.hmacSecret = input
      let second = try device(vault, id, [deviceKey, deviceKey, Self.vector(outputVector)])
      let reply = try GetAssertionReply(parsing: try await second.perform(.getAssertion, asking.encoded))
      guard let output = reply.authenticatorData.extensions?["hmac-secret"] else {
        throw PasskeyCryptoError(.libraryFailure, "no output")
      }
      return [UInt8](try output.bytes)
    } catch {
      throw PasskeyCryptoError(.libraryFailure, "\(name): \(error)")
    }
  }

  private func device(
    _ vault: MemoryVault, _ id: CredentialID, _ draws: [[UInt8]]
  ) throws(PasskeyCryptoError) -> SoftwareAuthenticator {
    var profile = AuthenticatorProfile.securityKey
    profile.attestation = .none
    profile.signing = .deterministic
    profile.presetCredential = PresetCredential(
      key: try .generate(.es256, random: .seeded(Self.seed[...], label: "credential")), id: id)
    return try SoftwareAuthenticator(
      vault: vault, profile: profile, interaction: AutomaticInteraction.always(), random: .fixed(draws),
      clock: StoppedClock())
  }
}

extension JSONDraft {
  fileprivate static func hex(_ bytes: [UInt8]) -> Self { .string(Hex.encode(bytes)) }
}

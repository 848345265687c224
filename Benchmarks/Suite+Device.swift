// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CodecProperties
internal import CTAPTypes
internal import SystemCrypto
internal import TestSupport
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

extension Suite {
  /// Complete commands, from the CBOR of the parameters to that of the reply, with a vault in memory. New credentials have self
  /// attestation; the signing key exists before.
  static func device() throws -> [Benchmark] {
    let making = "raw.es256.generate-and-sign"
    let signing = "raw.es256.sign"
    return [
      Benchmark(making, against: making) {
        let raw = try RawKeyMaking()
        return { try raw.generateAndSign() }
      },
      Benchmark(signing, against: signing) {
        let raw = try RawKeyMaking()
        return { try raw.sign() }
      },
      Benchmark("device.make-credential.es256", against: making, goal: .ratio(atMost: 1.4)) {
        let fixture = try DeviceFixture()
        return { keep(try fixture.perform(.makeCredential, fixture.makeCredential)) }
      },
      Benchmark("device.get-assertion.es256", against: signing, goal: .ratio(atMost: 1.4)) {
        let fixture = try DeviceFixture()
        _ = try fixture.perform(.makeCredential, fixture.makeCredential)
        return { keep(try fixture.perform(.getAssertion, fixture.getAssertion)) }
      },
      Benchmark("device.get-info") {
        let fixture = try DeviceFixture()
        return { keep(try fixture.perform(.getInfo, [])) }
      },
      // A process that runs for one sign-in: derive the key, read, decrypt, sign, count, encrypt, write.
      Benchmark("vault.ten-thousand.sign-in", against: signing, goal: .microseconds(atMost: 50_000)) {
        let fixture = try VaultFixture()
        return { keep(try fixture.signIn()) }
      },
    ]
  }
}

/// A vault file with the maximum number of passkeys: a hundred for each of a hundred relying parties.
private final class VaultFixture {
  private let folder: TemporaryFolder
  private let passphrase = SecretBytes(utf8: "correct horse")
  private var path: String { folder.path + "/vault" }

  init() throws {
    folder = try TemporaryFolder()
    let maker = MemoryVault(try .factory(random: .system))
    for number in 0..<100 {
      try VaultOwner(of: maker).add(Self.passkey(number), at: FixedClock().now)
    }
    var state = try maker.read()
    state.passkeys = (0..<100).flatMap { (_) in state.passkeys }
    _ = try FileVault.create(at: path, passphrase: passphrase, cost: .test, state: state)
  }

  private static func passkey(_ number: Int) throws -> PortablePasskey {
    let text = JSON.writeObject { (object) in
      object.write("format", .string(PortablePasskey.format))
      object.write("rpId", .string("site-\(number).raxx.app"))
      object.write("userHandle", .base64URL([UInt8](repeating: UInt8(number), count: 32)[...]))
      object.write("userName", .string("ada@raxx.app"))
      object.write("credentialId", .base64URL([UInt8](repeating: UInt8(number), count: 32)[...]))
      object.write("algorithm", .integer(COSEAlgorithm.es256.rawValue))
      if let key = try? SigningKey.generate(.es256, random: .system).pkcs8 {
        object.write("privateKey", key.withBytes { (bytes) in .base64URL(bytes) })
      }
    }
    return try PortablePasskey(json: text[...])
  }

  func signIn() throws -> Bytes {
    let device = try SoftwareAuthenticator(
      vault: FileVault.open(at: path, passphrase: passphrase), profile: .securityKey,
      interaction: AutomaticInteraction.always(), clock: FixedClock())
    let request = GetAssertionRequest(
      relyingPartyID: "site-7.raxx.app", clientDataHash: [UInt8](repeating: 0xcd, count: 32)[...])
    return try Bench(device).perform(.getAssertion, request.encoded)
  }
}

/// A device with one discoverable passkey, recreated each time.
private struct DeviceFixture {
  let makeCredential: [UInt8]
  let getAssertion: [UInt8]
  private let bench: Bench

  init() throws {
    bench = Bench(
      try SoftwareAuthenticator(
        vault: MemoryVault(.factory(random: .system)), profile: .securityKey,
        interaction: AutomaticInteraction.always(), clock: FixedClock()))
    let hash = [UInt8](repeating: 0xcd, count: 32)[...]
    var request = MakeCredentialRequest(
      clientDataHash: hash, relyingPartyID: "raxx.app", relyingPartyName: "Raxx",
      user: PasskeyUser(id: try UserHandle([1, 2, 3]), name: "ada@raxx.app", displayName: "Ada"),
      parameters: [CredentialParameters(algorithm: .es256)])
    request.options.residentKey = true
    makeCredential = request.encoded
    getAssertion = GetAssertionRequest(relyingPartyID: "raxx.app", clientDataHash: hash).encoded
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) throws -> Bytes {
    try bench.perform(command, parameters)
  }
}

/// Runs commands of a device on the calling thread.
private final class Bench {
  private let device: SoftwareAuthenticator
  private let executor = DrainingExecutor()
  private let reply = Reply()

  init(_ device: SoftwareAuthenticator) {
    self.device = device
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) throws -> Bytes {
    reply.result = .failure(CTAPError(.timeout))
    Task(executorPreference: executor) { [device, reply] in
      do throws(CTAPError) {
        reply.result = .success(try await device.perform(command, parameters[...]))
      } catch {
        reply.result = .failure(error)
      }
    }
    executor.drain()
    return try reply.result.get()
  }

  private final class Reply: @unchecked Sendable {  // Used on one thread only.
    var result: Result<Bytes, CTAPError> = .success([])
  }
}

private struct FixedClock: AuthenticatorClock {
  let now = Timestamp(secondsSince1970: 1_800_000_000)
  let uptime = Duration.zero
}

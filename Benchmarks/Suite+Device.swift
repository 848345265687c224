// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CodecProperties
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

extension Suite {
  /// Whole commands, from the parameters' CBOR to the reply's, with a vault in memory: the key that is made attests
  /// itself, the key that signs was made before.
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
      Benchmark("device.make-credential.es256", against: making) {
        let fixture = try DeviceFixture()
        return { keep(try fixture.perform(.makeCredential, fixture.makeCredential)) }
      },
      Benchmark("device.get-assertion.es256", against: signing) {
        let fixture = try DeviceFixture()
        _ = try fixture.perform(.makeCredential, fixture.makeCredential)
        return { keep(try fixture.perform(.getAssertion, fixture.getAssertion)) }
      },
      Benchmark("device.get-info") {
        let fixture = try DeviceFixture()
        return { keep(try fixture.perform(.getInfo, [])) }
      },
    ]
  }
}

/// A device whose one user has one discoverable passkey, made anew each time.
private struct DeviceFixture {
  let makeCredential: [UInt8]
  let getAssertion: [UInt8]
  private let device: SoftwareAuthenticator

  init() throws {
    device = try SoftwareAuthenticator(
      vault: MemoryVault(.factory(random: .system)), profile: .securityKey, interaction: AutomaticInteraction.always(),
      clock: FixedClock())
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
    let result = DrainingExecutor.run { [device] () async -> Result<Bytes, CTAPError> in
      do throws(CTAPError) {
        return .success(try await device.perform(command, parameters[...]))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw CTAPError(.timeout) }
    return try result.get()
  }
}

private struct FixedClock: AuthenticatorClock {
  let now = Timestamp(secondsSince1970: 1_800_000_000)
  let uptime = Duration.zero
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import CodecProperties
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import PasskeyTestSupport
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

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
      // A round trip through two pipes, as with `passkey authenticator --stdio`: the processor time of the client and of the
      // device, without the time that one waits for the other.
      Benchmark("device.get-assertion.es256.stdio", against: signing, hasHelper: true, goal: .ratio(atMost: 3)) {
        let fixture = try DeviceFixture()
        _ = try fixture.perform(.makeCredential, fixture.makeCredential)
        let device = try PipedDevice(fixture.device)
        return { keep(try device.perform(.getAssertion, fixture.getAssertion)) }
      },
      Benchmark("device.get-info") {
        let fixture = try DeviceFixture()
        return { keep(try fixture.perform(.getInfo, [])) }
      },
    ] + vault(against: signing, making)
  }

  /// A vault file with 10,000 passkeys. The figures are processor time and exclude the wait for the disk.
  private static func vault(against signing: String, _ making: String) -> [Benchmark] {
    [
      // A process that runs for one sign-in: derive the key, read, decrypt, sign, append.
      Benchmark("vault.ten-thousand.sign-in", against: signing, goal: .microseconds(atMost: 50_000)) {
        let fixture = try VaultFixture()
        return { keep(try fixture.device().perform(.getAssertion, fixture.getAssertion)) }
      },
      Benchmark("vault.ten-thousand.open", against: signing) {
        let fixture = try VaultFixture()
        return { keep(try fixture.open().read().passkeys.count) }
      },
      Benchmark("vault.ten-thousand.get-assertion", against: signing, goal: .microseconds(atMost: 5_000)) {
        let fixture = try VaultFixture()
        let device = try fixture.device()
        return { keep(try device.perform(.getAssertion, fixture.getAssertion)) }
      },
      Benchmark("vault.ten-thousand.make-credential", against: making, goal: .microseconds(atMost: 10_000)) {
        let fixture = try VaultFixture(room: 200)
        let device = try fixture.device()
        var number = 0
        return {
          number += 1
          if number.isMultiple(of: 200) { try fixture.restore() }
          keep(try device.perform(.makeCredential, fixture.makeCredential(number)))
        }
      },
    ]
  }
}

/// A vault file with the maximum number of passkeys, less `room`: copies of a hundred, then the passkey that signs.
private final class VaultFixture {
  let getAssertion = GetAssertionRequest(
    relyingPartyID: "site-100.raxx.app", clientDataHash: [UInt8](repeating: 0xcd, count: 32)[...]
  ).encoded

  private let folder: TemporaryFolder
  private let passphrase = SecretBytes(utf8: "correct horse")
  private let file: [UInt8]
  private var path: String { folder.path + "/vault" }

  init(room: Int = 0) throws {
    folder = try TemporaryFolder()
    let maker = MemoryVault(try .factory(random: .system))
    for number in 0...100 { _ = try VaultOwner(of: maker).add(Self.file(number), at: FixedClock().now) }
    var state = try maker.read()
    guard let last = state.passkeys.popLast() else { throw CTAPError(.noCredentials) }
    let copies = (0..<100).flatMap { (_) in state.passkeys }
    state.passkeys = copies.dropLast(room + 1) + [last]
    _ = try FileVault.create(at: folder.path + "/vault", passphrase: passphrase, cost: .test, state: state)
    file = try File.bytes(folder.path + "/vault")
  }

  /// A file in the Credential Exchange Format with one passkey.
  private static func file(_ number: Int) throws -> CredentialExchangeFile {
    let id = [UInt8](repeating: UInt8(number), count: 32)
    let key = try SigningKey.generate(.es256, random: .system).pkcs8
    let text = JSON.writeObject { (account) in
      account.writeArray("items") { (items) in
        items.writeObject { (item) in
          item.writeArray("credentials") { (credentials) in
            credentials.writeObject { (passkey) in
              passkey.write("type", .string("passkey"))
              passkey.write("rpId", .string("site-\(number).raxx.app"))
              passkey.write("userHandle", .base64URL(id))
              passkey.write("username", .string("ada@raxx.app"))
              passkey.write("credentialId", .base64URL(id))
              passkey.write("key", key.withBytes { (bytes) in .base64URL(bytes) })
            }
          }
        }
      }
    }
    return try CredentialExchangeFile(parsing: text)
  }

  func open() throws -> FileVault { try FileVault.open(at: path, passphrase: passphrase) }

  func device() throws -> Bench {
    Bench(
      try SoftwareAuthenticator(
        vault: open(), profile: .securityKey, interaction: AutomaticInteraction.always(), clock: FixedClock()))
  }

  /// Asks for a discoverable passkey of a new user.
  func makeCredential(_ number: Int) throws -> [UInt8] {
    var request = MakeCredentialRequest(
      clientDataHash: [UInt8](repeating: 0xcd, count: 32)[...], relyingPartyID: "raxx.app", relyingPartyName: "Raxx",
      user: PasskeyUser(id: try UserHandle([UInt8]("\(number)".utf8)), name: "ada@raxx.app", displayName: "Ada"),
      parameters: [CredentialParameters(algorithm: .es256)])
    request.options.residentKey = true
    return request.encoded
  }

  /// Takes back every change.
  func restore() throws { try File.write(file, to: path) }
}

/// A device with one discoverable passkey, recreated each time.
private struct DeviceFixture {
  let makeCredential: [UInt8]
  let getAssertion: [UInt8]
  let device: SoftwareAuthenticator
  private let bench: Bench

  init() throws {
    device = try SoftwareAuthenticator(
      vault: MemoryVault(.factory(random: .system)), profile: .securityKey,
      interaction: AutomaticInteraction.always(), clock: FixedClock())
    bench = Bench(device)
    let hash = [UInt8](repeating: 0xcd, count: 32)[...]
    var request = MakeCredentialRequest(
      clientDataHash: hash, relyingPartyID: "raxx.app", relyingPartyName: "Raxx",
      user: PasskeyUser(id: try UserHandle([1, 2, 3]), name: "ada@raxx.app", displayName: "Ada"),
      parameters: [CredentialParameters(algorithm: .es256)])
    request.options.residentKey = true
    makeCredential = request.encoded
    getAssertion = GetAssertionRequest(relyingPartyID: "raxx.app", clientDataHash: hash).encoded
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) throws -> [UInt8] {
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

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) throws -> [UInt8] {
    reply.result = .failure(CTAPError(.timeout))
    Task(executorPreference: executor) { [device, reply] in
      do throws(CTAPError) {
        reply.result = .success(try await device.perform(command, parameters))
      } catch {
        reply.result = .failure(error)
      }
    }
    executor.drain()
    return try reply.result.get()
  }

  private final class Reply: @unchecked Sendable {  // Used on one thread only.
    var result: Result<[UInt8], CTAPError> = .success([])
  }
}

/// A device that a thread serves over pipes.
private final class PipedDevice {
  struct Failed: Error {}

  private let requests: Pipe
  private let replies: Pipe
  private let client: StreamTransport

  init(_ device: SoftwareAuthenticator) throws {
    let (requests, replies) = (try Pipe(), try Pipe())
    let transport = StreamTransport(input: requests.reading.number, output: replies.writing.number)
    let isServed = SystemThread.start { try? FrameServer(to: device, over: transport).serve() }
    guard isServed else { throw Failed() }
    (self.requests, self.replies) = (requests, replies)
    client = StreamTransport(input: replies.reading.number, output: requests.writing.number)
  }

  /// Ends the thread. The other ends of the pipes stay open, because it may still use them.
  deinit {
    requests.writing.close()
    replies.reading.close()
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) throws -> [UInt8] {
    try client.send([FrameType.cbor, command.rawValue], parameters[...])
    while true {
      guard case .frame(let reply) = try client.receive(waitingAtMost: nil) else { throw Failed() }
      if reply.first == FrameType.keepAlive { continue }
      guard reply.starts(with: [FrameType.cbor, CTAPStatus.success.rawValue]) else { throw Failed() }
      return [UInt8](reply)
    }
  }
}

private struct FixedClock: AuthenticatorClock {
  let now = UnixTime(secondsSince1970: 1_800_000_000)
  let uptime = Duration.zero
}

// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Glibc
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnAuthenticator
@testable import WebAuthnBrowser
@testable import WebAuthnClient

/// The connection between client and device.
enum Reach: String, CaseIterable, Sendable {
  /// In the same process.
  case inProcess
  /// Frames over a socket.
  case frames
}

/// A relying party, a device, and the client between them.
struct World {
  let vault: MemoryVault
  let device: SoftwareAuthenticator
  let authenticator: any Authenticator
  let interaction: TestInteraction
  let relyingParty: RelyingParty
  let client: Client
  private let socketDevice: SocketDevice?

  let now = UnixTime(secondsSince1970: 1_800_000_000)
  let user: UserEntity

  init(
    _ reach: Reach = .inProcess, profile: AuthenticatorProfile = .securityKey, pin: String? = nil, finger: UInt8? = nil,
    interaction: TestInteraction = TestInteraction(), touch: any UserInteraction = AutomaticInteraction.always(),
    origin: String = "https://raxx.app", clientPolicy: ClientPolicy = ClientPolicy(),
    prepare: (inout DeviceState) throws -> Void = { _ in },
    policy change: (inout CeremonyPolicy) -> Void = { _ in }
  ) throws {
    var state = try DeviceState.factory(random: .system)
    try prepare(&state)
    vault = MemoryVault(state)
    if let pin { try VaultOwner(of: vault).setPIN(SecretBytes(utf8: pin)) }
    if let finger { try VaultOwner(of: vault).enroll(finger: finger) }
    device = try SoftwareAuthenticator(vault: vault, profile: profile, interaction: touch, clock: TestClock())
    socketDevice = try reach == .frames ? SocketDevice(to: device) : nil
    authenticator =
      try socketDevice.map { (socketDevice) in try FrameAuthenticator(unixSocket: socketDevice.path) } ?? device
    self.interaction = interaction
    var policy = CeremonyPolicy()
    policy.userVerification = .discouraged
    policy.residentKey = .required
    policy.algorithms = [.es256, .eddsa, .rs256].filter(supportedAlgorithms.contains)
    change(&policy)
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin(origin)], policy: policy)
    client = Client(
      origin: try WebOrigin(origin), authenticator: authenticator, interaction: interaction, policy: clientPolicy)
    user = UserEntity(id: try UserHandle([1, 2, 3]), name: "ada@raxx.app", displayName: "Ada")
  }

  /// Registers, and verifies the response after encoding it as JSON.
  func register(
    _ user: UserEntity? = nil, excluding: [CredentialDescriptor] = [],
    mediation: RelyingParty.RegistrationMediation = .modal,
    userVerification: UserVerificationRequirement? = nil, algorithms: [COSEAlgorithm]? = nil,
    attestation: AttestationConveyancePreference? = nil, extensions: [RegistrationExtension] = [],
    change: (inout CreationOptions) -> Void = { _ in }
  ) async throws -> (result: VerifiedRegistration, response: RegistrationResponse) {
    let begun = try relyingParty.beginRegistration(
      of: user ?? self.user, excluding: excluding, mediation: mediation, userVerification: userVerification,
      attestation: attestation, algorithms: algorithms, extensions: extensions, at: now)
    var options = begun.options
    change(&options)
    let response = try await client.create(try CreationOptions(json: options.json[...]))
    let result = try relyingParty.finishRegistration(
      RegistrationResponse(json: response.json[...]), pending: begun.pending, existing: .notFound, at: now)
    return (result, response)
  }

  /// Signs in, and verifies the response after encoding it as JSON.
  func signIn(
    _ credential: StoredCredential, isNamed: Bool = false, userVerification: UserVerificationRequirement? = nil,
    extensions: [AuthenticationExtension] = [],
    change: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> (result: VerifiedAuthentication, response: AuthenticationResponse) {
    let begun = try relyingParty.beginAuthentication(
      of: isNamed
        ? .knownBefore(credential.user, credentials: [credential.record.descriptor]) : .fromResponse,
      userVerification: userVerification, extensions: extensions, at: now)
    var options = begun.options
    change(&options)
    let response = try await client.get(try RequestOptions(json: options.json[...]))
    let result = try relyingParty.finishAuthentication(
      AuthenticationResponse(json: response.json[...]), pending: begun.pending, credential: credential, at: now)
    return (result, response)
  }

  /// Creates options without a pending ceremony.
  func creationOptions(
    _ change: (inout CreationOptions) throws -> Void = { _ in }
  ) rethrows -> CreationOptions {
    var options = CreationOptions(
      relyingParty: RelyingPartyEntity(id: relyingParty.id, name: "Raxx"), user: user,
      challenge: Challenge(allowingGuessableLength: [1, 2, 3]),
      credentialParameters: [CredentialParameters(algorithm: .es256)])
    try change(&options)
    return options
  }

  /// Creates options without a pending ceremony.
  func requestOptions(_ change: (inout RequestOptions) throws -> Void = { _ in }) rethrows -> RequestOptions {
    var options = RequestOptions(
      challenge: Challenge(allowingGuessableLength: [1, 2, 3]), relyingPartyID: relyingParty.id)
    try change(&options)
    return options
  }
}

/// A stopped clock.
struct TestClock: AuthenticatorClock {
  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}

/// A socket on which a device accepts one connection.
final class SocketDevice: Sendable {
  let path: String
  private let folder: TemporaryFolder

  init(to device: SoftwareAuthenticator) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/device"
    self.folder = folder
    self.path = path
    let listener = try UnixListener(path: path)
    let isStarted = SystemThread.start {
      guard let connection = try? listener.accept() else { return }
      try? FrameServer(to: device, over: connection).serve()
    }
    guard isStarted else { throw TransportError.noDevice(PasskeyCryptoError(.libraryFailure)) }
  }
}

/// Runs a ceremony that must fail and returns its error.
func failure<Value>(
  of ceremony: () async throws -> Value
) async throws -> ClientError? {
  do {
    _ = try await ceremony()
    return nil
  } catch let error as ClientError {
    return error
  }
}

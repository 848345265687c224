// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §6.1.2, step by step.
struct MakeCredentialTests {
  let device: TestDevice
  let platform: TestPlatform

  init() throws {
    device = try TestDevice(.withoutSensor)
    platform = device.platform()
  }

  private func status(_ request: MakeCredentialRequest, _ token: SecretBytes? = nil) async -> CTAPStatus {
    await platform.status { () async throws in try await platform.make(request, token) }
  }

  @Test func `a credential is created, attested and stored`() async throws {
    let reply = try await platform.make()
    #expect(reply.format == .packed)
    #expect(reply.authenticatorData.flags == [.userPresent, .attestedCredentialData])
    #expect(reply.authenticatorData.signCount == 0)
    #expect(reply.authenticatorData.relyingPartyIDHash == Digest.sha256([UInt8]("raxx.app".utf8)[...])[...])
    #expect(reply.authenticatorData.attestedCredentialData?.aaguid == .passkeySoftware)
    #expect(reply.credentialID.count == 32)
    #expect(reply.largeBlobKey == nil)
    #expect(reply.isEnterpriseAttestation == nil)
    guard case .map(let statement) = CBORTree(reply.statement) else { throw CTAPError(.other) }
    try reply.publicKey.verify(
      statement.bytes("sig")[...], over: reply.authenticatorData.encoded + TestPlatform.clientDataHash)

    let kept = try #require(try device.state.passkeys.first)
    #expect(kept.id.bytes[...] == reply.credentialID)
    #expect(!kept.isDiscoverable)
    #expect(kept.relyingPartyID == "raxx.app")
    #expect(kept.relyingPartyName == "Raxx")
    #expect(kept.user == .sample("ada"))
    #expect(kept.created == device.clock.now)
    #expect(kept.counterPolicy == .counting)
    #expect(device.user.asked == [InteractionPurpose(.register, relyingPartyID: "raxx.app", userName: "ada@raxx.app")])
  }

  @Test func `an empty user handle, or one of more than 64 bytes, is refused`() async {
    for count in [0, 65] {
      let parameters: TestMap = [
        0x01: .bytes([UInt8](TestPlatform.clientDataHash)), 0x02: .map(["id": "raxx.app"]),
        0x03: .map(["id": .bytes([UInt8](repeating: 1, count: count))]),
        0x04: .array([.map(["type": "public-key", "alg": .integer(COSEAlgorithm.es256.rawValue)])]),
      ]
      #expect(await platform.status(.makeCredential, parameters) == .invalidLength, "\(count) bytes")
    }
  }

  // Step 1

  @Test func `an empty pinUVAuthParameter asks for a touch, and reveals whether a PIN is set`() async throws {
    let request = MakeCredentialRequest.sample().with { (request) in request.pinUVAuthParameter = [] }
    #expect(await status(request) == .pinNotSet)
    try await platform.setPIN("1234")
    #expect(await status(request) == .pinInvalid)
    device.user.willGive(presences: .refused)
    #expect(await status(request) == .operationDenied)
    #expect(device.user.asked.map(\.act) == [.selectDevice, .selectDevice, .selectDevice])
    #expect(try device.state.passkeys.isEmpty)
  }

  // Step 2

  @Test(arguments: [(nil, CTAPStatus.missingParameter), (3, .invalidParameter), (1 << 40, .invalidParameter)])
  func `a parameter of an unknown protocol is refused`(number: UInt64?, expected: CTAPStatus) async {
    let request = MakeCredentialRequest.sample().with { (request) in
      request.pinUVAuthParameter = [1]
      request.pinUVAuthProtocol = number
    }
    #expect(await status(request) == expected)
    #expect(device.user.asked.isEmpty)
  }

  // Step 3

  @Test func `the relying party's order decides the algorithm`() async throws {
    let unknown = COSEAlgorithm(rawValue: -12_345)
    let reply = try await platform.make(.sample([unknown, .eddsa, .es256]))
    #expect(try reply.publicKey.algorithm == .eddsa)
  }

  @Test func `algorithms that the profile excludes are skipped`() async throws {
    var profile = AuthenticatorProfile.securityKey
    profile.algorithms = [.es384]
    await device.authenticator.adopt(profile)
    #expect(try await platform.make(.sample([.es256, .es384])).publicKey.algorithm == .es384)
    #expect(await status(.sample([.es256])) == .unsupportedAlgorithm)
  }

  @Test(arguments: [[], [COSEAlgorithm.rs1], [COSEAlgorithm(rawValue: -1)], [.ecdhESHKDF256]])
  func `unsupported algorithms are refused`(algorithms: [COSEAlgorithm]) async {
    #expect(await status(.sample(algorithms)) == .unsupportedAlgorithm)
  }

  @Test func `other credential types are skipped`() async {
    let request = MakeCredentialRequest.sample().with { (request) in
      request.parameters = [CredentialParameters(type: CredentialType(rawValue: "other"), algorithm: .es256)]
    }
    #expect(await status(request) == .unsupportedAlgorithm)
  }

  // Step 5

  @Test func `unsupported options are refused`() async {
    var options = CommandOptions(userVerification: true)
    #expect(await status(.sample().with { (request) in request.options = options }) == .invalidOption)
    options = CommandOptions(userPresence: false)
    #expect(await status(.sample().with { (request) in request.options = options }) == .invalidOption)
    options = CommandOptions(residentKey: true, userPresence: true, userVerification: false)
    #expect(await status(.sample().with { (request) in request.options = options }) == .success)
  }

  // Steps 6 to 8 and 10

  @Test func `with alwaysUv, a credential requires a token`() async throws {
    try device.vault.update { (state) in state.settings.alwaysRequiresUserVerification = true }
    #expect(await status(.sample()) == .pinUVAuthTokenRequired)
    try await platform.setPIN("1234")
    #expect(await status(.sample()) == .pinUVAuthTokenRequired)
    let token = try await platform.token("1234", .makeCredential, for: "raxx.app")
    #expect(try await platform.make(.sample(), token).authenticatorData.flags.contains(.userVerified))
  }

  @Test func `on a protected device, a discoverable credential requires user verification`() async throws {
    try await platform.setPIN("1234")
    #expect(await status(.sample(isDiscoverable: true)) == .pinUVAuthTokenRequired)
    let reply = try await platform.make(.sample(isDiscoverable: false))
    #expect(!reply.authenticatorData.flags.contains(.userVerified))
  }

  // Step 9

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `an enterprise attestation is refused on a device without one`(kind: UInt64) async {
    let request = MakeCredentialRequest.sample().with { (request) in request.enterpriseAttestation = kind }
    #expect(await status(request) == .invalidParameter)
  }

  // Step 11

  @Test func `a token sets user verification`() async throws {
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .makeCredential, for: "raxx.app")
    let reply = try await platform.make(.sample(isDiscoverable: true), token)
    #expect(reply.authenticatorData.flags == [.userPresent, .userVerified, .attestedCredentialData])
    // Step 14: the token is spent.
    #expect(await status(.sample(), token) == .pinAuthInvalid)
  }

  @Test func `a token with another permission, relying party or message is refused`() async throws {
    try await platform.setPIN("1234")
    let other = try await platform.token("1234", .getAssertion, for: "raxx.app")
    #expect(await status(.sample(), other) == .pinAuthInvalid)
    let elsewhere = try await platform.token("1234", .makeCredential, for: "example.org")
    #expect(await status(.sample(), elsewhere) == .pinAuthInvalid)
    _ = try await platform.token("1234", .makeCredential, for: "raxx.app")
    let request = MakeCredentialRequest.sample().with { (request) in
      request.pinUVAuthParameter = [UInt8](repeating: 7, count: 32)[...]
      request.pinUVAuthProtocol = 2
    }
    #expect(await status(request) == .pinAuthInvalid)
    #expect(try device.state.passkeys.isEmpty)
  }

  // Step 12

  @Test func `an excluded credential is refused after a touch`() async throws {
    let id = try CredentialID(await platform.make().credentialID)
    let stranger = try CredentialID([9, 9, 9])
    let request = MakeCredentialRequest.sample(user: "bob").with { (request) in
      request.excludeList = [CredentialDescriptor(id: stranger), CredentialDescriptor(id: id)]
    }
    #expect(await status(request) == .credentialExcluded)
    #expect(device.user.asked.last == InteractionPurpose(.excludedCredential, relyingPartyID: "raxx.app"))
    device.user.willGive(presences: .refused)
    #expect(await status(request) == .credentialExcluded)
    device.user.willGive(presences: .cancelled)
    #expect(await status(request) == .keepaliveCancel)
    #expect(try device.state.passkeys.count == 1)
  }

  @Test func `credentials of other relying parties are not excluded`() async throws {
    let id = try CredentialID(await platform.make(.sample(for: "example.org")).credentialID)
    let request = MakeCredentialRequest.sample().with { (request) in
      request.excludeList = [CredentialDescriptor(id: id)]
    }
    #expect(await status(request) == .success)
  }

  @Test func `other credential types in the list exclude nothing`() async throws {
    let id = try CredentialID(await platform.make().credentialID)
    let request = MakeCredentialRequest.sample().with { (request) in
      request.excludeList = [CredentialDescriptor(type: CredentialType(rawValue: "other"), id: id)]
    }
    #expect(await status(request) == .success)
  }

  @Test func `a credential with credProtect 3 is hidden from unverified users`() async throws {
    let protected = MakeCredentialRequest.sample().with { (request) in request.extensions.credentialProtection = 3 }
    let id = try CredentialID(await platform.make(protected).credentialID)
    let request = MakeCredentialRequest.sample(user: "bob").with { (request) in
      request.excludeList = [CredentialDescriptor(id: id)]
    }
    #expect(await status(request) == .success)
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .makeCredential, for: "raxx.app")
    #expect(await status(request, token) == .credentialExcluded)
  }

  @Test func `a list longer than the announced limit is refused`() async throws {
    let count = Int(try #require(try await platform.info().maximumCredentialCountInList))
    let list = try (0...count).map { (number) in CredentialDescriptor(id: try CredentialID([UInt8(number)])) }
    var request = MakeCredentialRequest.sample()
    request.excludeList = list
    #expect(await status(request) == .limitExceeded)
    request.excludeList.removeLast()
    #expect(await status(request) == .success)
  }

  @Test func `the longest list of the longest ids fits into a message`() async throws {
    let info = try await platform.info()
    let length = Int(try #require(info.maximumCredentialIDByteCount))
    var request = MakeCredentialRequest.sample(AuthenticatorProfile.everyAlgorithm)
    request.excludeList = try (0..<Int(try #require(info.maximumCredentialCountInList))).map { (number) in
      CredentialDescriptor(id: try CredentialID([UInt8](repeating: UInt8(number), count: length)))
    }
    #expect(request.encoded.count < Int(try #require(info.maximumMessageByteCount)) - 1024)
    #expect(await status(request) == .success)
  }

  // Step 14

  @Test(arguments: [
    (PresenceAnswer.refused, CTAPStatus.operationDenied), (.timedOut, .operationDenied),
    (.cancelled, .keepaliveCancel),
  ])
  func `without a touch nothing is stored`(answer: PresenceAnswer, expected: CTAPStatus) async throws {
    let before = try device.state.identity.credentialStoreState
    device.user.willGive(presences: answer)
    #expect(await status(.sample(isDiscoverable: true)) == expected)
    #expect(try device.state.passkeys.isEmpty)
    #expect(try device.state.identity.credentialStoreState == before)
  }

  // Step 17

  @Test func `a discoverable credential replaces the user's previous one`() async throws {
    let first = try await platform.make(.sample(isDiscoverable: true))
    let second = try await platform.make(.sample(isDiscoverable: true))
    try await platform.make(.sample(user: "bob", isDiscoverable: true))
    try await platform.make(.sample(for: "example.org", isDiscoverable: true))
    let ids = try device.state.passkeys.map { (passkey) in passkey.id.bytes[...] }
    #expect(ids.count == 3)
    #expect(!ids.contains(first.credentialID))
    #expect(ids.contains(second.credentialID))
  }

  @Test func `a non-discoverable credential replaces none`() async throws {
    try await platform.make(.sample(isDiscoverable: true))
    try await platform.make()
    try await platform.make()
    #expect(try device.state.passkeys.count == 3)
  }

  @Test func `a full device reports it, and can still replace`() async throws {
    try await platform.make(.sample(isDiscoverable: true))
    let sample = try #require(try device.state.passkeys.first)
    try device.vault.update { (state) in
      while state.passkeys.count < DeviceLimits.maximumCredentials { state.passkeys.append(sample) }
    }
    #expect(await status(.sample(user: "bob", isDiscoverable: true)) == .keyStoreFull)
    #expect(await status(.sample(user: "bob")) == .keyStoreFull)
    #expect(try await platform.info().remainingDiscoverableCredentialCount == 0)
    #expect(await status(.sample(isDiscoverable: true)) == .success)
  }

  @Test func `each new credential changes the store state`() async throws {
    let before = try device.state.identity.credentialStoreState
    try await platform.make()
    #expect(try device.state.identity.credentialStoreState != before)
  }

  @Test func `long names are cut between characters`() async throws {
    var user = PasskeyUser.sample("ada")
    user.name = String(repeating: "n", count: 63) + "é" + "rest"
    user.displayName = String(repeating: "é", count: 32) + "rest"
    let request = MakeCredentialRequest.sample(isDiscoverable: true).with { [user] (request) in request.user = user }
    try await platform.make(request)
    let kept = try device.state.passkeys.first?.user
    #expect(kept?.name == String(repeating: "n", count: 63) + "é")
    #expect(kept?.displayName == String(repeating: "é", count: 32))
  }

  // Parameters

  @Test(
    arguments: [
      (1, CTAPStatus.missingParameter), (2, .missingParameter), (3, .missingParameter), (4, .missingParameter),
    ] as [(Int64, CTAPStatus)])
  func `a missing parameter is reported`(key: Int64, expected: CTAPStatus) async throws {
    var map = try MakeCredentialRequest.sample().map
    map[.integer(key)] = nil
    #expect(await platform.status(.makeCredential, map) == expected)
  }

  @Test(arguments: 1...11 as ClosedRange<Int64>)
  func `a parameter of another type is refused`(key: Int64) async throws {
    var map = try MakeCredentialRequest.sample().map
    map[.integer(key)] = .simple(.null)
    #expect(await platform.status(.makeCredential, map) == .cborUnexpectedType)
  }

  @Test func `bytes that are not a map of parameters are refused`() async {
    for (bytes, expected) in [
      ("", CTAPStatus.missingParameter), ("a0", .missingParameter), ("80", .cborUnexpectedType), ("a1", .invalidCBOR),
      ("a201000100", .invalidCBOR), ("a0a0", .invalidCBOR), ("bf", .invalidCBOR),
    ] {
      let status = await platform.status { () async throws in
        try await device.authenticator.perform(.makeCredential, hex(bytes))
      }
      #expect(status == expected, "\(bytes)")
    }
  }

  @Test func `a message longer than the announced size is refused`() async throws {
    let limit = Int(try #require(try await platform.info().maximumMessageByteCount))
    for (count, expected) in [(limit - 1, CTAPStatus.invalidCBOR), (limit, .requestTooLarge)] {
      let status = await platform.status { () async throws in
        try await device.authenticator.perform(.makeCredential, [UInt8](repeating: 0, count: count))
      }
      #expect(status == expected)
    }
  }
}

extension MakeCredentialRequest {
  /// The parameters as a map.
  var map: TestMap {
    get throws {
      guard case .map(let map) = CBORTree(try CBORValue(parsing: encoded[...], rules: .canonical)) else { return [:] }
      return map
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// CTAP 2.3 §6.2.2, step by step.
struct GetAssertionTests {
  let device: TestDevice
  let platform: TestPlatform

  init() throws {
    device = try TestDevice(.withoutSensor)
    platform = device.platform()
  }

  private func status(_ request: GetAssertionRequest, _ token: SecretBytes? = nil) async -> CTAPStatus {
    await platform.status { () async throws in try await platform.get(request, token) }
  }

  @Test func `a listed credential signs, and its use is stored`() async throws {
    let made = try await platform.make()
    device.clock.advance(by: .seconds(100))
    let reply = try await platform.get(.sample([1, 2, 3], made.credentialID))
    #expect(reply.credential?.id.bytes == [UInt8](made.credentialID))
    #expect(reply.authenticatorData.flags == .userPresent)
    #expect(reply.authenticatorData.signCount == 1)
    #expect(reply.authenticatorData.attestedCredentialData == nil)
    #expect(reply.user == nil)
    #expect(reply.credentialCount == nil)
    try reply.verify(by: made.publicKey)
    let kept = try #require(try device.state.passkeys.first)
    #expect(kept.signCount == 1)
    #expect(kept.lastUsed == device.clock.now)
    #expect(try await platform.get(.sample(made.credentialID)).authenticatorData.signCount == 2)
    #expect(device.user.asked.last == InteractionPurpose(.signIn, relyingPartyID: "raxx.app", userName: "ada@raxx.app"))
  }

  @Test func `a discoverable credential is found without its id, and its user is returned`() async throws {
    let made = try await platform.make(.sample(isDiscoverable: true))
    try await platform.make(.sample(user: "bob"))
    let reply = try await platform.get()
    #expect(reply.credential?.id.bytes == [UInt8](made.credentialID))
    #expect(reply.user == PasskeyUser(id: PasskeyUser.sample("ada").id))
    #expect(reply.credentialCount == nil)
    try reply.verify(by: made.publicKey)
  }

  @Test func `keys are read again after a power cycle`() async throws {
    var device = device
    for algorithm: COSEAlgorithm in [.es256, .es384, .eddsa, .rs256] {
      let made = try await device.platform().make(.sample([algorithm]))
      try device.cyclePower()
      try await device.platform().get(.sample(made.credentialID)).verify(by: made.publicKey)
    }
  }

  @Test func `a key that changed in the vault is used at once`() async throws {
    let first = try await platform.make()
    let second = try await platform.make()
    let keys = try device.state.passkeys
    #expect(keys.count == 2)
    try device.vault.update { (state) in
      // Another process imports another key under the same ID.
      state.passkeys = [keys[0].replacingKey(by: keys[1])]
    }
    try await platform.get(.sample(first.credentialID)).verify(by: second.publicKey)
  }

  // Steps 1 and 2

  @Test func `an empty pinUVAuthParameter asks for a touch, and reveals whether a PIN is set`() async throws {
    let request = GetAssertionRequest.sample().with { (request) in request.pinUVAuthParameter = [] }
    #expect(await status(request) == .pinNotSet)
    try await platform.setPIN("1234")
    #expect(await status(request) == .pinInvalid)
    device.user.willGive(presences: .refused, .cancelled)
    #expect(await status(request) == .operationDenied)
    #expect(await status(request) == .keepaliveCancel)
  }

  @Test(arguments: [(nil, CTAPStatus.missingParameter), (0, .invalidParameter)])
  func `a parameter of an unknown protocol is refused`(number: UInt64?, expected: CTAPStatus) async {
    let request = GetAssertionRequest.sample().with { (request) in
      request.pinUVAuthParameter = [1]
      request.pinUVAuthProtocol = number
    }
    #expect(await status(request) == expected)
  }

  // Step 4

  @Test func `unsupported options are refused`() async throws {
    try await platform.make(.sample(isDiscoverable: true))
    for (options, expected): (CommandOptions, CTAPStatus) in [
      (CommandOptions(userVerification: true), .invalidOption), (CommandOptions(residentKey: true), .unsupportedOption),
      (CommandOptions(residentKey: false), .unsupportedOption),
      (CommandOptions(userPresence: true, userVerification: false), .success),
    ] {
      #expect(await status(.sample().with { (request) in request.options = options }) == expected)
    }
  }

  @Test func `without user presence the user is not asked, and UP is clear`() async throws {
    let made = try await platform.make()
    device.user.willGive(presences: .refused)
    let asked = device.user.asked.count
    let request = GetAssertionRequest.sample(made.credentialID).with { (request) in request.options.userPresence = false
    }
    let reply = try await platform.get(request)
    #expect(reply.authenticatorData.flags == [])
    #expect(device.user.asked.count == asked)
    try reply.verify(by: made.publicKey)
  }

  // Step 5

  @Test func `with alwaysUv, a signature requires a token`() async throws {
    let id = try await platform.make().credentialID
    try device.vault.update { (state) in state.settings.alwaysRequiresUserVerification = true }
    #expect(await status(.sample(id)) == .pinUVAuthTokenRequired)
    try await platform.setPIN("1234")
    #expect(await status(.sample(id)) == .pinUVAuthTokenRequired)
    let silent = GetAssertionRequest.sample(id).with { (request) in request.options.userPresence = false }
    #expect(await status(silent) == .success)
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    #expect(try await platform.get(.sample(id), token).authenticatorData.flags == [.userPresent, .userVerified])
  }

  // Step 6

  @Test func `a token sets user verification once`() async throws {
    let made = try await platform.make()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    let reply = try await platform.get(.sample(made.credentialID), token)
    #expect(reply.authenticatorData.flags == [.userPresent, .userVerified])
    #expect(await status(.sample(made.credentialID), token) == .pinAuthInvalid)
  }

  @Test func `a silent assertion does not spend the token`() async throws {
    let made = try await platform.make()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .getAssertion, for: "raxx.app")
    let silent = GetAssertionRequest.sample(made.credentialID).with { (request) in request.options.userPresence = false
    }
    #expect(try await platform.get(silent, token).authenticatorData.flags == .userVerified)
    #expect(await status(.sample(made.credentialID), token) == .success)
  }

  @Test func `a token with another permission or relying party is refused`() async throws {
    let id = try await platform.make().credentialID
    try await platform.setPIN("1234")
    let other = try await platform.token("1234", .makeCredential, for: "raxx.app")
    #expect(await status(.sample(id), other) == .pinAuthInvalid)
    let elsewhere = try await platform.token("1234", .getAssertion, for: "example.org")
    #expect(await status(.sample(id), elsewhere) == .pinAuthInvalid)
  }

  // Step 7

  @Test func `an unknown credential is refused before the user is asked`() async throws {
    #expect(await status(.sample()) == .noCredentials)
    let made = try await platform.make()
    let asked = device.user.asked.count
    #expect(await status(.sample()) == .noCredentials)
    #expect(await status(.sample([1, 2, 3])) == .noCredentials)
    #expect(await status(.sample(made.credentialID, for: "example.org")) == .noCredentials)
    #expect(device.user.asked.count == asked)
  }

  @Test func `a list of impossible ids is not treated as a missing list`() async throws {
    try await platform.make(.sample(isDiscoverable: true))
    var map = try GetAssertionRequest.sample([1]).map
    map[3] = [["id": .bytes([]), "type": "public-key"]]
    #expect(await platform.status(.getAssertion, map) == .noCredentials)
    map[3] = []
    #expect(await platform.status(.getAssertion, map) == .success)
  }

  @Test func `other credential types in the list are ignored`() async throws {
    let id = try CredentialID(await platform.make().credentialID)
    var request = GetAssertionRequest.sample()
    request.allowList = [CredentialDescriptor(type: CredentialType(rawValue: "other"), id: id)]
    #expect(await status(request) == .noCredentials)
  }

  // Step 9

  @Test(arguments: [
    (PresenceAnswer.refused, CTAPStatus.operationDenied), (.timedOut, .operationDenied),
    (.cancelled, .keepaliveCancel),
  ])
  func `without a touch nothing is signed or counted`(answer: PresenceAnswer, expected: CTAPStatus) async throws {
    let id = try await platform.make().credentialID
    device.user.willGive(presences: answer)
    #expect(await status(.sample(id)) == expected)
    #expect(try device.state.passkeys.first?.signCount == 0)
    #expect(try device.state.passkeys.first?.lastUsed == nil)
  }

  // Step 13

  @Test func `a counter at its maximum stays there`() async throws {
    let made = try await platform.make()
    try device.vault.update { (state) in state.passkeys[0].signCount = .max - 1 }
    #expect(try await platform.get(.sample(made.credentialID)).authenticatorData.signCount == .max)
    #expect(try await platform.get(.sample(made.credentialID)).authenticatorData.signCount == .max)
  }

  @Test func `a list longer than the announced limit is refused`() async throws {
    let count = Int(try #require(try await platform.info().maximumCredentialCountInList))
    var request = GetAssertionRequest.sample()
    request.allowList = try (0...count).map { (number) in
      CredentialDescriptor(id: try CredentialID([UInt8(number)]))
    }
    #expect(await status(request) == .limitExceeded)
  }

  // Parameters

  @Test func `a missing parameter is reported`() async throws {
    for key: Int64 in [1, 2] {
      var map = try GetAssertionRequest.sample().map
      map[.integer(key)] = nil
      #expect(await platform.status(.getAssertion, map) == .missingParameter)
    }
  }

  @Test(arguments: 1...7 as ClosedRange<Int64>)
  func `a parameter of another type is refused`(key: Int64) async throws {
    var map = try GetAssertionRequest.sample().map
    map[.integer(key)] = .simple(.null)
    #expect(await platform.status(.getAssertion, map) == .cborUnexpectedType)
  }

  @Test func `a hash of another length is refused`() async throws {
    var map = try GetAssertionRequest.sample().map
    map[2] = .bytes([1, 2, 3])
    #expect(await platform.status(.getAssertion, map) == .invalidLength)
  }
}

extension GetAssertionRequest {
  /// The parameters as a map.
  var map: TestMap {
    get throws {
      guard case .map(let map) = CBORTree(try CBORValue(parsing: encoded[...], rules: .canonical)) else { return [:] }
      return map
    }
  }
}

extension StoredPasskey {
  /// Returns the same credential with another key.
  fileprivate func replacingKey(by other: StoredPasskey) -> StoredPasskey {
    StoredPasskey(
      .init(
        id: id, algorithm: other.algorithm, privateKey: other.privateKey, relyingPartyIDHash: relyingPartyIDHash,
        relyingPartyID: relyingPartyID, relyingPartyName: relyingPartyName, user: user, isDiscoverable: isDiscoverable,
        protection: protection, extensionSecrets: extensionSecrets, blob: blob, largeBlobKey: largeBlobKey,
        allowsThirdPartyPayment: allowsThirdPartyPayment, aaguid: aaguid, counterPolicy: counterPolicy,
        signCount: signCount, isBackupEligible: isBackupEligible, isBackedUp: isBackedUp, created: created,
        lastUsed: lastUsed, sequence: sequence))
  }
}

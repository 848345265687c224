// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct CredentialEnumerationTests {
  /// Creates a device with a PIN and credentials of three relying parties; those of the last are not discoverable.
  private static func device() async throws -> TestDevice {
    let device = try TestDevice { (state) in
      state.passkeys = [
        try .made(for: "raxx.app", user: "ada"), try .made(for: "example.com", user: "grace", algorithm: .eddsa),
        try .made(for: "raxx.app", user: "linus"), try .made(for: "hidden.org", user: "eve", isDiscoverable: false),
        try .made(for: "raxx.app", user: "margaret"),
      ]
    }
    try await device.platform().setPIN("1234")
    return device
  }

  private func hash(_ relyingPartyID: String) -> CBORTree {
    .bytes(Digest.sha256([UInt8](relyingPartyID.utf8)[...]))
  }

  // MARK: Relying parties

  @Test(arguments: TestPINProtocol.allCases)
  func `each relying party is returned once, the first with the total`(version: TestPINProtocol) async throws {
    let device = try await Self.device()
    let platform = device.platform(version)
    let token = try await platform.token("1234", .credentialManagement)
    #expect(
      try await platform.send(.credentialManagement, platform.managing(2, token))
        == [3: ["id": "raxx.app"], 4: hash("raxx.app"), 5: 2])
    #expect(
      try await platform.send(.credentialManagement, platform.managing(3))
        == [3: ["id": "example.com"], 4: hash("example.com")])
    #expect(await platform.status(.credentialManagement, platform.managing(3)) == .notAllowed)
  }

  @Test func `a known relying party name is returned`() async throws {
    let device = try await Self.device()
    try device.vault.update { (state) in state.passkeys[0].relyingPartyName = "Raxx" }
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let answer = try await platform.send(.credentialManagement, platform.managing(2, token))
    #expect(answer[3] == ["id": "raxx.app", "name": "Raxx"])
  }

  @Test func `an empty vault reports no credentials`() async throws {
    let device = try TestDevice { (state) in
      state.passkeys = [try .made(for: "a.b", user: "u", isDiscoverable: false)]
    }
    let platform = device.platform()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .credentialManagement)
    #expect(await platform.status(.credentialManagement, platform.managing(2, token)) == .noCredentials)
    #expect(
      await platform.status(.credentialManagement, platform.managing(4, token, [1: hash("a.b")])) == .noCredentials)
  }

  // MARK: Credentials

  @Test func `each credential of a relying party is returned with its details, newest first`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let first = try await platform.send(
      .credentialManagement, platform.managing(4, token, [1: hash("raxx.app")]))
    let stored = try #require(try device.state.passkeys.last)
    let key = try SigningKey(.es256, pkcs8: stored.privateKey).publicKey
    #expect(
      first == [
        6: ["id": .bytes([UInt8]("margaret".utf8)), "name": "margaret"],
        7: ["id": .bytes([UInt8]("margaret@raxx.app".utf8)), "type": "public-key"], 8: key.tree, 9: 3, 0x0a: 1,
        0x0c: false,
      ])
    for name in ["linus", "ada"] {
      let next = try await platform.send(.credentialManagement, platform.managing(5))
      #expect(next[6] == ["id": .bytes([UInt8](name.utf8)), "name": .text(name)])
      #expect(next[9] == nil)
    }
    #expect(await platform.status(.credentialManagement, platform.managing(5)) == .notAllowed)
  }

  @Test func `credProtect, thirdPartyPayment and largeBlobKey are returned`() async throws {
    let device = try TestDevice { (state) in
      let sample = try StoredPasskey.sample(0, .system)
      let made = try StoredPasskey.made(for: "raxx.app", user: "ada")
      state.passkeys = [
        StoredPasskey(
          .init(
            id: made.id, algorithm: .es256, privateKey: made.privateKey, relyingPartyIDHash: made.relyingPartyIDHash,
            relyingPartyID: made.relyingPartyID, relyingPartyName: nil, user: sample.user, isDiscoverable: true,
            protection: .userVerificationRequired, extensionSecrets: sample.extensionSecrets, blob: nil,
            largeBlobKey: SecretBytes([UInt8](repeating: 7, count: 32)[...]), allowsThirdPartyPayment: true,
            aaguid: .zero,
            counterPolicy: .zero, signCount: 0, isBackupEligible: false, isBackedUp: false, created: made.created,
            lastUsed: nil, sequence: 0))
      ]
    }
    let platform = device.platform()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .credentialManagement)
    let answer = try await platform.send(
      .credentialManagement, platform.managing(4, token, [1: hash("raxx.app")]))
    #expect(answer[0x0a] == 3)
    #expect(answer[0x0b] == .bytes([UInt8](repeating: 7, count: 32)))
    #expect(answer[0x0c] == true)
    guard case .map(let user) = answer[6] else {
      Issue.record("no user")
      return
    }
    #expect(user["displayName"] == "Ada")
  }

  @Test func `the relying party parameter is required`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    #expect(await platform.status(.credentialManagement, platform.managing(4, token)) == .missingParameter)
    #expect(
      await platform.status(.credentialManagement, platform.managing(4, token, [1: "raxx.app"])) == .cborUnexpectedType)
    for count in [0, 31, 33] {
      let wrong = CBORTree.bytes([UInt8](repeating: 0, count: count))
      #expect(
        await platform.status(.credentialManagement, platform.managing(4, token, [1: wrong])) == .invalidParameter)
    }
    #expect(
      await platform.status(.credentialManagement, platform.managing(4, token, [1: hash("hidden.org")]))
        == .noCredentials)
  }

  @Test func `a token for one relying party lists only that one`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement, for: "raxx.app")
    #expect(
      await platform.status(.credentialManagement, platform.managing(4, token, [1: hash("example.com")]))
        == .pinAuthInvalid)
    #expect(
      await platform.status(.credentialManagement, platform.managing(4, token, [1: hash("raxx.app")])) == .success)
  }

  // MARK: Sequences

  @Test func `a sequence that was not begun cannot continue`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    #expect(await platform.status(.credentialManagement, platform.managing(3)) == .notAllowed)
    #expect(await platform.status(.credentialManagement, platform.managing(5)) == .notAllowed)
    try await platform.send(.credentialManagement, platform.managing(2, token))
    #expect(await platform.status(.credentialManagement, platform.managing(5)) == .notAllowed)
  }

  @Test func `other commands on the same channel do not end a sequence`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let others: [(CTAPCommand, TestMap?)] = [
      (.getInfo, nil), (.clientPIN, [2: 1]), (.credentialManagement, platform.managing(1, token)),
      (.largeBlobs, [1: 17, 3: 0]), (.credentialManagement, [1: 99]), (.init(rawValue: 0x41), nil),
    ]
    for (command, parameters) in others {
      try await platform.send(.credentialManagement, platform.managing(4, token, [1: hash("raxx.app")]))
      _ = await platform.status(command, parameters)
      #expect(await platform.status(.credentialManagement, platform.managing(5)) == .success, "\(command)")
    }
  }

  @Test func `credentials can be listed while relying parties are listed`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let first = try await platform.send(.credentialManagement, platform.managing(2, token))
    #expect(first[5] == 2)
    for hash in [first[4], try await listing(platform, token, first[4])] {
      #expect(
        try await platform.send(.credentialManagement, platform.managing(4, token, [1: #require(hash)]))[9] != nil)
    }
  }

  /// Lists the credentials of one relying party and returns the hash of the next one.
  private func listing(_ platform: TestPlatform, _ token: SecretBytes, _ hash: CBORTree?) async throws -> CBORTree? {
    try await platform.send(.credentialManagement, platform.managing(4, token, [1: #require(hash)]))
    return try await platform.send(.credentialManagement, platform.managing(3))[4]
  }

  @Test func `a change of the credentials ends a sequence`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let first = try await platform.send(.credentialManagement, platform.managing(4, token, [1: hash("raxx.app")]))
    try await platform.send(.credentialManagement, platform.managing(2, token))
    try await platform.send(.credentialManagement, platform.managing(6, token, [2: #require(first[7])]))
    #expect(await platform.status(.credentialManagement, platform.managing(3)) == .notAllowed)
    #expect(await platform.status(.credentialManagement, platform.managing(5)) == .notAllowed)
  }

  @Test func `a sequence ends with its token and with power`() async throws {
    var device = try await Self.device()
    var platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    try await platform.send(.credentialManagement, platform.managing(2, token))
    device.clock.advance(by: .seconds(600))
    #expect(await platform.status(.credentialManagement, platform.managing(3)) == .notAllowed)

    let other = try await platform.token("1234", .credentialManagement)
    try await platform.send(.credentialManagement, platform.managing(2, other))
    try device.cyclePower()
    platform = device.platform()
    #expect(await platform.status(.credentialManagement, platform.managing(3)) == .notAllowed)
  }

  // MARK: The persistent token

  @Test(arguments: TestPINProtocol.allCases)
  func `the persistent token reads everything, before and after a power cycle`(version: TestPINProtocol) async throws {
    var device = try await Self.device()
    let token = try await device.platform(version).token("1234", .persistentReading)
    for _ in 0..<2 {
      let platform = device.platform(version)
      #expect(try await platform.send(.credentialManagement, platform.managing(1, token))[1] == 4)
      #expect(try await platform.send(.credentialManagement, platform.managing(2, token))[5] == 2)
      #expect(try await platform.send(.credentialManagement, platform.managing(3))[4] == hash("example.com"))
      try await platform.send(.credentialManagement, platform.managing(4, token, [1: hash("raxx.app")]))
      device.clock.advance(by: .seconds(3600))
      #expect(await platform.status(.credentialManagement, platform.managing(5)) == .success)
      try device.cyclePower()
    }
  }

  @Test func `with ten thousand credentials each is returned once`() async throws {
    let template = try StoredPasskey.made(for: "raxx.app", user: "ada")
    let device = try TestDevice { (state) in
      state.passkeys = (0..<DeviceLimits.maximumCredentials).map { (_) in template }
    }
    let platform = device.platform()
    try await platform.setPIN("1234")
    let token = try await platform.token("1234", .credentialManagement)
    #expect(try await platform.send(.credentialManagement, platform.managing(1, token)) == [1: 10_000, 2: 0])
    var answer = try await platform.send(
      .credentialManagement, platform.managing(4, token, [1: hash("raxx.app")]))
    #expect(answer[9] == 10_000)
    for _ in 1..<10_000 { answer = try await platform.send(.credentialManagement, platform.managing(5)) }
    #expect(await platform.status(.credentialManagement, platform.managing(5)) == .notAllowed)
  }
}

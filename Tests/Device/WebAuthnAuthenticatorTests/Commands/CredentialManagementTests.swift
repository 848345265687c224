// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct CredentialManagementTests {
  /// Creates a device with a PIN, two discoverable credentials and a non-discoverable one.
  static func device() async throws -> TestDevice {
    let device = try TestDevice { (state) in
      state.passkeys = [
        try .made(for: "raxx.app", user: "ada"),
        try .made(for: "raxx.app", user: "hidden", isDiscoverable: false),
        try .made(for: "example.com", user: "grace"),
      ]
    }
    try await device.platform().setPIN("1234")
    return device
  }

  private func descriptor(_ id: String) -> CBORTree {
    ["id": .bytes([UInt8](id.utf8)), "type": "public-key"]
  }

  // MARK: What is asked first

  @Test func `a missing or unknown subcommand is refused`() async throws {
    let platform = try TestDevice().platform()
    #expect(await platform.status(.credentialManagement) == .missingParameter)
    for number: UInt64 in [0, 8, 258] {
      #expect(await platform.status(.credentialManagement, [1: .unsigned(number)]) == .invalidSubcommand)
    }
  }

  @Test(arguments: [1, 2, 4, 6, 7] as [UInt8])
  func `every subcommand that begins something requires a token`(subcommand: UInt8) async throws {
    let device = try await Self.device()
    #expect(
      await device.platform().status(.credentialManagement, device.platform().managing(subcommand))
        == .pinUVAuthTokenRequired)
  }

  @Test(arguments: [1, 2] as [UInt8])
  func `the protocol is required and must be known`(subcommand: UInt8) async throws {
    let device = try await Self.device()
    let platform = device.platform()
    var request = platform.managing(subcommand, try await platform.token("1234", .credentialManagement))
    request[3] = 9
    #expect(await platform.status(.credentialManagement, request) == .invalidParameter)
    request[3] = nil
    #expect(await platform.status(.credentialManagement, request) == .missingParameter)
  }

  @Test(arguments: [1, 2, 4, 6, 7] as [UInt8])
  func `a token with another permission is refused`(subcommand: UInt8) async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .largeBlobWrite)
    let parameters: TestMap = [
      1: .bytes(Digest.sha256([UInt8]("raxx.app".utf8)[...])), 2: descriptor("ada@raxx.app"), 3: ["id": .bytes([1])],
    ]
    #expect(
      await platform.status(
        .credentialManagement, platform.managing(subcommand, token, subcommand > 2 ? parameters : nil))
        == .pinAuthInvalid)
  }

  // MARK: Counting

  @Test func `discoverable credentials and free slots are counted`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    #expect(
      try await platform.send(.credentialManagement, platform.managing(1, token))
        == [1: 2, 2: .unsigned(UInt64(DeviceLimits.maximumCredentials - 3))])
  }

  @Test func `a token bound to one relying party does not count credentials of others`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement, for: "raxx.app")
    #expect(await platform.status(.credentialManagement, platform.managing(1, token)) == .pinAuthInvalid)
    #expect(await platform.status(.credentialManagement, platform.managing(2, token)) == .pinAuthInvalid)
  }

  // MARK: Deleting

  @Test(arguments: TestPINProtocol.allCases)
  func `a deleted credential is gone, and the store state changes`(version: TestPINProtocol) async throws {
    let device = try await Self.device()
    let platform = device.platform(version)
    let before = try device.state.identity.credentialStoreState
    let token = try await platform.token("1234", .credentialManagement)
    let request = platform.managing(6, token, [2: descriptor("ada@raxx.app")])
    #expect(try await platform.send(.credentialManagement, request) == [:])
    #expect(try device.state.passkeys.compactMap(\.user?.name) == ["hidden", "grace"])
    #expect(try device.state.identity.credentialStoreState != before)
    #expect(await platform.status(.credentialManagement, request) == .noCredentials)
  }

  @Test func `non-discoverable credentials are not managed`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    for subcommand: UInt8 in [6, 7] {
      let request = platform.managing(
        subcommand, token, [2: descriptor("hidden@raxx.app"), 3: ["id": .bytes([UInt8]("hidden".utf8))]])
      #expect(await platform.status(.credentialManagement, request) == .noCredentials)
    }
    #expect(try device.state.passkeys.count == 3)
  }

  @Test func `the credential parameter is required`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    for parameters: TestMap? in [nil, [:], [2: ["type": "public-key"]]] {
      #expect(
        await platform.status(.credentialManagement, platform.managing(6, token, parameters)) == .missingParameter)
    }
    #expect(
      await platform.status(.credentialManagement, platform.managing(6, token, [2: "ada"])) == .cborUnexpectedType)
  }

  @Test func `a token for one relying party deletes only its credentials and learns of no others`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement, for: "raxx.app")
    for id in ["grace@example.com", "nobody@raxx.app"] {
      #expect(
        await platform.status(.credentialManagement, platform.managing(6, token, [2: descriptor(id)]))
          == .pinAuthInvalid)
    }
    try await platform.send(.credentialManagement, platform.managing(6, token, [2: descriptor("ada@raxx.app")]))
    #expect(try device.state.passkeys.compactMap(\.user?.name) == ["hidden", "grace"])
  }

  @Test func `parameters that were modified in transit are refused`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    var request = platform.managing(6, token, [2: descriptor("ada@raxx.app")])
    request[2] = .map([2: descriptor("grace@example.com")])
    #expect(await platform.status(.credentialManagement, request) == .pinAuthInvalid)
    #expect(try device.state.passkeys.count == 3)
  }

  @Test func `the persistent token changes nothing`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .persistentReading)
    let parameters: TestMap = [2: descriptor("ada@raxx.app"), 3: ["id": .bytes([UInt8]("ada".utf8))]]
    for subcommand: UInt8 in [6, 7] {
      #expect(
        await platform.status(.credentialManagement, platform.managing(subcommand, token, parameters))
          == .pinAuthInvalid)
    }
  }

  // MARK: Naming

  private func rename(_ platform: TestPlatform, _ token: SecretBytes, to user: TestMap) -> TestMap {
    platform.managing(7, token, [2: descriptor("ada@raxx.app"), 3: .map(user)])
  }

  @Test func `given names replace the stored ones, and missing ones are removed`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let id: CBORTree = .bytes([UInt8]("ada".utf8))
    let before = try device.state.identity.credentialStoreState

    #expect(
      try await platform.send(
        .credentialManagement, rename(platform, token, to: ["id": id, "name": "Ada", "displayName": "Countess"])) == [:]
    )
    var user = try device.state.passkeys.first?.user
    #expect(user?.name == "Ada")
    #expect(user?.displayName == "Countess")
    #expect(try device.state.identity.credentialStoreState != before)

    try await platform.send(.credentialManagement, rename(platform, token, to: ["id": id, "name": ""]))
    user = try device.state.passkeys.first?.user
    #expect(user?.name == nil)
    #expect(user?.displayName == nil)
    #expect(user?.id.bytes == [UInt8]([UInt8]("ada".utf8)[...]))
  }

  /// CTAP 2.3 §6.8.6 step 9, whatever the length of the id, and after the token and the credential were checked.
  @Test func `another user id is an invalid parameter, also one that no user can have`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    for id in [[], [UInt8]("bob".utf8), [UInt8](repeating: 1, count: 65)] {
      #expect(
        await platform.status(.credentialManagement, rename(platform, token, to: ["id": .bytes(id), "name": "Ada"]))
          == .invalidParameter)
    }
    let unknown: TestMap = [2: descriptor("nobody@raxx.app"), 3: ["id": .bytes([])]]
    #expect(
      await platform.status(.credentialManagement, platform.managing(7, token, unknown)) == .noCredentials)
    #expect(try device.state.passkeys.first?.user?.name == "ada")
  }

  @Test func `a long name is cut as at creation`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let long = String(repeating: "ä", count: 100)
    try await platform.send(
      .credentialManagement, rename(platform, token, to: ["id": .bytes([UInt8]("ada".utf8)), "name": .text(long)]))
    #expect(try device.state.passkeys.first?.user?.name == String(repeating: "ä", count: 32))
  }

  @Test func `its parameters are required`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    for parameters: TestMap in [
      [2: descriptor("ada@raxx.app")], [3: ["id": .bytes([1])]], [2: descriptor("ada@raxx.app"), 3: ["name": "x"]],
    ] {
      #expect(
        await platform.status(.credentialManagement, platform.managing(7, token, parameters)) == .missingParameter)
    }
  }

  @Test func `any parameters get a status`() async throws {
    let device = try await Self.device()
    let platform = device.platform()
    let token = try await platform.token("1234", .credentialManagement)
    let hash: CBORTree = .bytes(Digest.sha256([UInt8]("raxx.app".utf8)[...]))
    try await checkAnyParameters(
      device, .credentialManagement,
      [
        platform.managing(1, token), platform.managing(2, token), platform.managing(3),
        platform.managing(4, token, [1: hash]), platform.managing(5),
        platform.managing(6, token, [2: descriptor("ada@raxx.app")]),
        rename(platform, token, to: ["id": .bytes([UInt8]("ada".utf8)), "name": "Ada"]),
      ])
  }
}

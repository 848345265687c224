// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// The maximum values in getInfo (CTAP 2.3 §6.4) are accepted, and larger ones are refused.
struct DeviceLimitsTests {
  let device: TestDevice
  let platform: TestPlatform

  init() throws {
    device = try TestDevice(.withoutSensor)
    platform = device.platform()
  }

  @Test func `maxMsgSize includes the command byte`() async throws {
    let most = Int(try #require(try await platform.info().maximumMessageByteCount))
    for (count, expected) in [(most - 1, CTAPStatus.invalidCBOR), (most, .requestTooLarge)] {
      let status = await platform.status { () async throws in
        try await device.authenticator.perform(.getAssertion, [UInt8](repeating: 0, count: count))
      }
      #expect(status == expected)
    }
  }

  @Test func `maxCredentialCountInList limits allow lists and exclude lists`() async throws {
    let most = Int(try #require(try await platform.info().maximumCredentialCountInList))
    let made = try await platform.make()
    let strangers = try (0..<most).map { (number) in
      CredentialDescriptor(id: try CredentialID([UInt8](repeating: UInt8(number), count: 16)))
    }
    let own = CredentialDescriptor(id: try CredentialID(made.credentialID))
    let full = [CredentialDescriptor](strangers.dropLast()) + [own]
    let over = strangers + [own]

    try await platform.get(.sample().with { (request) in request.allowList = full }).verify(by: made.publicKey)
    for (list, expected) in [(full, CTAPStatus.credentialExcluded), (over, .limitExceeded)] {
      let status = await platform.status { () async throws in
        try await platform.make(.sample().with { (request) in request.excludeList = list })
      }
      #expect(status == expected)
    }
    let status = await platform.status { () async throws in
      try await platform.get(.sample().with { (request) in request.allowList = over })
    }
    #expect(status == .limitExceeded)
  }

  @Test func `maxCredentialIdLength covers every credential of the device`() async throws {
    let most = Int(try #require(try await platform.info().maximumCredentialIDByteCount))
    #expect(try await platform.make().credentialID.count <= most)

    let key = try SigningKey.generate(.es256, random: .seeded([1]))
    func add(_ user: String, _ count: Int) throws -> CredentialExchangeImport {
      let passkey = ExchangeSample.passkey([
        "userHandle": "\"\(Base64URL.encode([UInt8](user.utf8)))\"",
        "credentialId": "\"\(Base64URL.encode([UInt8](repeating: 7, count: count)))\"",
        "key": "\"\(try key.pkcs8.withBytes { (bytes) in Base64URL.encode(bytes) })\"",
      ])
      let file = ExchangeSample.file(ExchangeSample.account(ExchangeSample.item(passkey)))
      return try VaultOwner(of: device.vault).add(CredentialExchangeFile(parsing: file), at: device.clock.now)
    }
    #expect(try add("ada", most).imported.count == 1)
    try await platform.get(.sample([UInt8](repeating: 7, count: most)[...])).verify(by: key.publicKey)
    #expect(try add("bob", most + 1).excluded.map(\.reason) == [.malformed])

    // An ID longer than any of this device matches no credential, anywhere in a list.
    let longer = [UInt8](repeating: 7, count: most + 1)[...]
    #expect(await platform.status { () async throws in try await platform.get(.sample(longer)) } == .noCredentials)
    let excluded = try MakeCredentialRequest.sample(user: "eve").with { (request) in
      request.excludeList = [CredentialDescriptor(id: try CredentialID(longer))]
    }
    #expect(await platform.status { () async throws in try await platform.make(excluded) } == .success)
  }

  @Test func `maxCredentialIdLength covers a preset credential`() async throws {
    let id = try CredentialID([UInt8](repeating: 4, count: CredentialID.maximumByteCount))
    var profile = AuthenticatorProfile.withoutSensor
    profile.presetCredential = PresetCredential(key: try SigningKey.generate(.es256, random: .seeded([1])), id: id)
    await device.authenticator.adopt(profile)
    #expect(try await platform.info().maximumCredentialIDByteCount == 1023)
    #expect(try await platform.make().credentialID == id.bytes[...])
    profile.presetCredential = PresetCredential(
      key: try SigningKey.generate(.es256, random: .seeded([1])), id: try CredentialID([4]))
    await device.authenticator.adopt(profile)
    #expect(try await platform.info().maximumCredentialIDByteCount == 128)
  }

  @Test func `maxSerializedLargeBlobArray limits the array`() async throws {
    let most = try #require(try await platform.info().maximumLargeBlobArrayByteCount)
    let fragment = [UInt8](repeating: 0, count: 1024)
    #expect(await platform.status(.largeBlobs, platform.writing(fragment, at: 0, of: most)) == .success)
    #expect(
      await platform.status(.largeBlobs, platform.writing(fragment, at: 0, of: most + 1)) == .largeBlobStorageFull)
  }

  @Test func `maxCredBlobLength limits a stored blob`() async throws {
    let most = Int(try #require(try await platform.info().maximumCredentialBlobByteCount))
    for (count, isKept) in [(most, true), (most + 1, false)] {
      let made = try await platform.make(
        .sample(isDiscoverable: true).with { (request) in
          request.extensions.credentialBlob = [UInt8](repeating: 7, count: count)[...]
        })
      #expect(made.output("credBlob") == .bool(isKept))
      #expect(try device.state.passkeys.last?.blob?.count == (isKept ? most : nil))
    }
  }

  @Test func `minPINLength and maxPINLength limit a PIN`() async throws {
    let info = try await platform.info()
    let (least, most) = (Int(try #require(info.minimumPINLength)), Int(try #require(info.maximumPINLength)))
    for (count, expected) in [
      (least - 1, CTAPStatus.pinPolicyViolation), (most + 1, .pinPolicyViolation), (least, .success),
    ] {
      let padded = TestPlatform.padded(String(repeating: "7", count: count))
      let status = await platform.status { () async throws in
        try await platform.send(.clientPIN, platform.settingPIN("", padded: padded))
      }
      #expect(status == expected, "\(count)")
    }
    try await platform.changePIN(
      String(repeating: "7", count: least), to: String(repeating: "8", count: most))
    try await platform.token(String(repeating: "8", count: most))
  }

  @Test func `maxRPIDsForSetMinPINLength limits the relying parties`() async throws {
    let most = Int(try #require(try await platform.info().maximumMinimumPINLengthReaderCount))
    func status(_ count: Int) async -> CTAPStatus {
      let readers = (0..<count).map { (number) in CBORTree.text("site-\(number).example") }
      return await platform.status(.authenticatorConfig, platform.configuring(3, nil, [2: .array(readers)]))
    }
    #expect(await status(most) == .success)
    #expect(await status(most + 1) == .keyStoreFull)
    #expect(try device.state.settings.minimumPINLengthReaders.count == most)
  }

  @Test func `remainingDiscoverableCredentials counts the free slots`() async throws {
    let sample = try StoredPasskey.made(for: "example.org", user: "x", isDiscoverable: false)
    try device.vault.update { (state) in
      state.passkeys = [StoredPasskey](repeating: sample, count: DeviceLimits.maximumCredentials - 1)
    }
    #expect(try await platform.info().remainingDiscoverableCredentialCount == 1)
    try await platform.make(.sample(isDiscoverable: true))
    #expect(try await platform.info().remainingDiscoverableCredentialCount == 0)
    let status = await platform.status { () async throws in
      try await platform.make(.sample(user: "bob", isDiscoverable: true))
    }
    #expect(status == .keyStoreFull)
  }
}

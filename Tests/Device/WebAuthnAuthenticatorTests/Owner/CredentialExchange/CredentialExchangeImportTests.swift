// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct CredentialExchangeImportTests {
  private let now = UnixTime(secondsSince1970: 1_800_000_000)

  /// Imports a file with these passkeys, each in its own item.
  private func add(_ passkeys: String..., to vault: MemoryVault) throws -> CredentialExchangeImport {
    let items = passkeys.map { (passkey) in ExchangeSample.item(passkey) }.joined(separator: ",")
    let file = try CredentialExchangeFile(parsing: ExchangeSample.file(ExchangeSample.account(items)))
    return try VaultOwner(of: vault).add(file, at: now)
  }

  private func vault(_ change: (inout DeviceState) throws -> Void = { _ in }) throws -> MemoryVault {
    var state = try DeviceState.factory(random: .system)
    try change(&state)
    return MemoryVault(state)
  }

  @Test func `an imported passkey signs in, with the same prf results and a counter of zero`() async throws {
    let source = try TestDevice(.passkeyProvider)
    let made = try await source.platform().make(
      .sample(isDiscoverable: true).with { (request) in
        request.extensions.hmacSecret = true
        request.extensions.credentialBlob = [7, 8, 9]
        request.extensions.thirdPartyPayment = true
        request.extensions.largeBlobKey = true
      })
    let blob = ExchangedPasskey.LargeBlob(uncompressedByteCount: 3, compressed: [1, 2, 3, 4])
    try source.vault.update { (state) throws(CTAPError) in
      guard let key = state.passkeys[0].largeBlobKey else { throw CTAPError(.other, "no key") }
      state.largeBlobArray = try LargeBlobEntries(state.largeBlobArray).adding(blob, key, random: .system)
    }
    let export = try VaultOwner(of: source.vault).exportCredentialExchange(at: now)
    #expect(export.excluded.isEmpty && export.leftOutMembers.isEmpty)

    // A device that counts the signatures of its own passkeys.
    let target = try TestDevice(.forTests)
    let file = try CredentialExchangeFile(parsing: export.text)
    let result = try VaultOwner(of: target.vault).add(file, at: now)
    #expect(result.excluded.isEmpty && result.imported == export.exported)
    let state = try target.state
    #expect(state.passkeys[0].largeBlobKey.flatMap { LargeBlobEntries(state.largeBlobArray).blob(of: $0) } == blob)
    #expect(state.passkeys[0].relyingPartyName == "Raxx")

    for _ in 1...2 {
      var results: [[UInt8]] = []
      for device in [source, target] {
        let platform = device.platform()
        let salts = try await platform.salts(HMACSecretTests.salt1)
        let reply = try await platform.get(
          .sample().with { (request) in
            request.extensions.hmacSecret = salts.input
            request.extensions.credentialBlob = true
            request.extensions.thirdPartyPayment = true
          })
        try reply.verify(by: made.publicKey)
        #expect(reply.output("credBlob") == .bytes([7, 8, 9]))
        #expect(reply.output("thirdPartyPayment") == true)
        #expect(reply.authenticatorData.signCount == 0)
        #expect(reply.authenticatorData.flags.contains([.backupEligible, .backedUp]))
        results.append(try salts.open(reply.output("hmac-secret")).exposedBytes)
      }
      #expect(results[0] == results[1])
    }
  }

  @Test func `an export of an import contains the same passkeys`() throws {
    let secret = Base64URL.encode([UInt8](repeating: 7, count: 32))
    let vault = try vault()
    let passkey = ExchangeSample.extended(
      #"{"hmacCredentials":{"algorithm":"hmac-sha256","credWithUV":"\#(secret)","credWithoutUV":"\#(secret)"},"#
        + #""credBlob":"AQI","largeBlob":{"uncompressedSize":9,"data":"BAU"},"payments":true}"#)
    #expect(try add(passkey, to: vault).imported.count == 1)
    let text = try VaultOwner(of: vault).exportCredentialExchange(at: now).text
    let before = try #require(ExchangeSample.readAccount(passkey).passkeys.first)
    let after = try #require(CredentialExchangeFile(parsing: text).accounts.first?.passkeys.first)
    #expect(after.id == before.id && after.relyingPartyID == before.relyingPartyID && after.user == before.user)
    #expect(after.title == before.title && after.created == before.created)
    #expect(after.privateKey == before.privateKey && after.algorithm == before.algorithm)
    #expect(after.extensionSecrets == before.extensionSecrets && after.blob == before.blob)
    #expect(after.largeBlob == before.largeBlob && after.allowsThirdPartyPayment)
  }

  @Test func `a passkey without extensions gets secrets of its own`() throws {
    let vault = try vault()
    _ = try add(ExchangeSample.passkey(), to: vault)
    let passkey = try #require(try vault.read().passkeys.first)
    #expect(passkey.extensionSecrets?.withVerification.count == 32 && passkey.largeBlobKey?.count == 32)
    #expect(passkey.isBackedUp && passkey.isDiscoverable && passkey.counterPolicy == .zero)
    #expect(passkey.relyingPartyName == "Raxx")
  }

  @Test func `an import replaces no passkey`() throws {
    let vault = try vault()
    let bob = ExchangeSample.passkey(["userHandle": #""Ym9i""#, "credentialId": #""BAUG""#])
    #expect(try add(ExchangeSample.passkey(), to: vault).imported.count == 1)
    let again = try add(ExchangeSample.passkey(), ExchangeSample.passkey(["credentialId": #""Bwg""#]), bob, to: vault)
    #expect(again.imported.map(\.bytes) == [[4, 5, 6]])
    #expect(again.excluded.map(\.reason) == [.exists, .userHasPasskey])
    #expect(try vault.read().passkeys.map(\.id.bytes) == [[1, 2, 3], [4, 5, 6]])
  }

  @Test func `passkeys that the parser left out are reported with the others`() throws {
    let result = try add(
      ExchangeSample.passkey(["key": "7"]), ExchangeSample.passkey(), to: vault())
    #expect(result.imported.count == 1 && result.excluded.map(\.reason) == [.malformed])
  }

  @Test func `an id that is too long is left out`() throws {
    let id = Base64URL.encode([UInt8](repeating: 1, count: DeviceLimits.maximumCredentialIDByteCount + 1))
    let result = try add(ExchangeSample.passkey(["credentialId": "\"\(id)\""]), to: vault())
    #expect(result.imported.isEmpty && result.excluded.map(\.reason) == [.malformed])
  }

  @Test func `a full vault takes no more passkeys`() throws {
    let other = try StoredPasskey.made(for: "yapt.example", user: "x", isDiscoverable: false)
    let vault = try vault { (state) in
      state.passkeys = [StoredPasskey](repeating: other, count: DeviceLimits.maximumCredentials)
    }
    #expect(try add(ExchangeSample.passkey(), to: vault).excluded.map(\.reason) == [.vaultFull])
  }

  @Test func `a passkey whose large blob does not fit is left out, and the stored blobs remain`() throws {
    let vault = try vault()
    func blob(_ count: Int) -> String {
      #""largeBlob":{"uncompressedSize":1,"data":"\#(Base64URL.encode([UInt8](repeating: 5, count: count)))"}"#
    }
    let first = ExchangeSample.extended("{\(blob(9_000))}")
    let second = ExchangeSample.passkey([
      "fido2Extensions": "{\(blob(8_000))}", "credentialId": #""BAUG""#, "userHandle": #""Ym9i""#,
    ])
    let result = try add(first, second, to: vault)
    #expect(result.imported.map(\.bytes) == [[1, 2, 3]] && result.excluded.map(\.reason) == [.vaultFull])
    let state = try vault.read()
    let key = try #require(state.passkeys.first?.largeBlobKey)
    #expect(LargeBlobEntries(state.largeBlobArray).blob(of: key)?.compressed.count == 9_000)
  }

  @Test(arguments: [#""creationAt":9999999999"#, #""creationAt":-5"#, #""creationAt":"yesterday""#])
  func `an implausible creation time is replaced by the time of the import`(member: String) throws {
    let text = String(
      decoding: ExchangeSample.file(ExchangeSample.account(ExchangeSample.item(ExchangeSample.passkey()))),
      as: UTF8.self
    ).replacing(#""creationAt":1790000000"#, with: member)
    let vault = try vault()
    _ = try VaultOwner(of: vault).add(CredentialExchangeFile(parsing: [UInt8](text.utf8)), at: now)
    #expect(try vault.read().passkeys.map(\.created) == [now])
  }
}

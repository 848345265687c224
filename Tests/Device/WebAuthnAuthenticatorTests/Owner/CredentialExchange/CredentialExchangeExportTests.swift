// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct CredentialExchangeExportTests {
  private let now = UnixTime(secondsSince1970: 1_800_000_000)

  private func owner(_ passkeys: StoredPasskey...) throws -> VaultOwner {
    var state = try DeviceState.factory(random: .system)
    state.passkeys = passkeys
    return VaultOwner(of: MemoryVault(state))
  }

  private func movable(
    _ user: String = "ada", _ algorithm: COSEAlgorithm = .es256, counterPolicy: CounterPolicy = .zero
  ) throws -> StoredPasskey {
    try .made(
      for: "raxx.app", user: user, algorithm: algorithm, isBackupEligible: true, counterPolicy: counterPolicy)
  }

  @Test func `the header and the item have the members of the standard`() throws {
    let export = try owner(movable()).exportCredentialExchange(at: now)
    let header = try JSON.parse(export.text[...])
    #expect(try header.require("version").require("major").int64 == 1)
    #expect(try header.require("version").require("minor").int64 == 0)
    #expect(try header.require("exporterRpId").string == "raxx.app")
    #expect(try header.require("exporterDisplayName").string == "passkey")
    #expect(try header.require("timestamp").int64 == 1_800_000_000)
    let accounts = [JSONValue](try header.require("accounts").array)
    let account = try #require(accounts.first)
    #expect(accounts.count == 1)
    #expect(try account.require("id").base64URL.count == 16)
    #expect(try account.require("username").string.isEmpty && account.require("email").string.isEmpty)
    #expect([JSONValue](try account.require("collections").array).isEmpty)
    let item = try #require([JSONValue](try account.require("items").array).first)
    #expect(try item.require("id").base64URL.count == 16)
    #expect(try item.require("creationAt").int64 == 1_800_000_000)
    #expect(try item.require("title").string == "raxx.app" && item.require("subtitle").string == "ada")
    let credential = try #require([JSONValue](try item.require("credentials").array).first)
    #expect(try credential.require("type").string == "passkey")
    #expect(try credential.require("userDisplayName").string.isEmpty)
    #expect(try credential["fido2Extensions"] == nil)
  }

  @Test func `a passkey keeps the id of its item, and an export has its own account id`() throws {
    let owner = try owner(movable())
    func ids() throws -> (account: [UInt8], item: [UInt8]) {
      let text = try owner.exportCredentialExchange(at: now).text
      let account = try #require([JSONValue](try JSON.parse(text[...]).require("accounts").array).first)
      let item = try #require([JSONValue](try account.require("items").array).first)
      return (try account.require("id").base64URL, try item.require("id").base64URL)
    }
    let (first, second) = (try ids(), try ids())
    #expect(first.item == second.item && first.account != second.account)
  }

  @Test func `a passkey that has counted signatures is never exported`() throws {
    var counted = try movable("eve", counterPolicy: .counting)
    counted.signCount = 1
    let owner = try owner(movable(), counted)
    let export = try owner.exportCredentialExchange(includingDeviceBound: true, at: now)
    #expect(try export.exported == [movable().id])
    #expect(export.excluded.map(\.reason) == [.counter])
    #expect(export.excluded.first?.detail == "its signature counter is 1")
    #expect(export.excluded.first?.userName == "eve" && export.excluded.first?.id == counted.id)
  }

  @Test func `a device-bound passkey is exported only if the owner insists`() throws {
    let owner = try owner(.made(for: "raxx.app", user: "ada"))
    #expect(try owner.exportCredentialExchange(at: now).excluded.map(\.reason) == [.deviceBound])
    #expect(try owner.exportCredentialExchange(at: now).exported.isEmpty)
    #expect(try owner.exportCredentialExchange(includingDeviceBound: true, at: now).exported.count == 1)
  }

  @Test func `a U2F credential is left out`() throws {
    var u2f = try movable()
    u2f.user = nil
    let export = try owner(u2f).exportCredentialExchange(at: now)
    #expect(export.excluded.map(\.reason) == [.u2f])
  }

  @Test func `only the passkeys with the given ids are exported`() throws {
    let owner = try owner(movable(), movable("bob"))
    #expect(try owner.exportCredentialExchange([movable("bob").id], at: now).exported == [movable("bob").id])
    expect(.noCredentials) { _ = try owner.exportCredentialExchange([movable("eve").id], at: now) }
  }

  @Test func `what the format cannot express is reported`() async throws {
    let device = try TestDevice(.passkeyProvider)
    try await device.platform().make(
      .sample(isDiscoverable: true).with { (request) in request.extensions.credentialProtection = 2 })
    let export = try VaultOwner(of: device.vault).exportCredentialExchange(at: now)
    #expect(export.exported.count == 1)
    #expect(export.leftOutMembers.entries.map(\.name) == ["credProtect"])
  }

  @Test(arguments: [COSEAlgorithm.es256, .es384, .es512, .es256k, .eddsa, .ed448, .rs256, .mlDSA44, .mlDSA65, .mlDSA87])
  func `a key's type names its algorithm`(algorithm: COSEAlgorithm) throws {
    guard supportedAlgorithms.contains(algorithm) else { return }
    let passkey = try movable("ada", algorithm)
    let export = try owner(passkey).exportCredentialExchange(at: now)
    let file = try CredentialExchangeFile(parsing: export.text)
    let read = try #require(file.accounts.first?.passkeys.first, "\(file)")
    #expect(read.algorithm == algorithm && read.privateKey == passkey.privateKey)
  }

  @Test(arguments: [COSEAlgorithm.esp256, .esp384, .ed25519, .rs384, .ps256])
  func `an algorithm that the key's type does not name is in an extension`(algorithm: COSEAlgorithm) throws {
    guard supportedAlgorithms.contains(algorithm) else { return }
    let passkey = try movable("ada", algorithm)
    let export = try owner(passkey).exportCredentialExchange(at: now)
    // Other importers use a second name of the same algorithm correctly.
    #expect(export.unusualAlgorithms.map(\.algorithm) == ([.rs384, .ps256].contains(algorithm) ? [algorithm] : []))
    let file = try CredentialExchangeFile(parsing: export.text)
    let account = try #require(file.accounts.first)
    #expect(account.passkeys.map(\.algorithm) == [algorithm] && account.leftOutMembers.isEmpty)
    let copy = MemoryVault(try DeviceState.factory(random: .system))
    #expect(try VaultOwner(of: copy).add(file, at: now).imported == [passkey.id])
    #expect(try copy.read().passkeys.map(\.algorithm) == [algorithm])
  }

  @Test func `a named algorithm that the key does not fit, and other extensions, are reported`() throws {
    func account(_ extensions: String) throws -> CredentialExchangeFile.Account {
      let item = ExchangeSample.item(ExchangeSample.passkey(), more: #","extensions":[\#(extensions)]"#)
      return try #require(
        CredentialExchangeFile(parsing: ExchangeSample.file(ExchangeSample.account(item))).accounts.first)
    }
    let wrong = try account(#"{"name":"raxx.app/cose-algorithm","algorithm":-37}"#)
    #expect(wrong.passkeys.isEmpty && wrong.excludedPasskeys.map(\.reason) == [.unusableKey])
    let named = #"{"name":"raxx.app/cose-algorithm","algorithm":-7}"#
    for bad in [
      #"{"name":"raxx.app/cose-algorithm","algorithm":"ES256"}"#, #"{"name":"raxx.app/cose-algorithm"}"#,
      "\(named),\(named)",
    ] {
      let malformed = try account(bad)
      #expect(malformed.passkeys.isEmpty && malformed.excludedPasskeys.map(\.reason) == [.malformed], "\(bad)")
    }
    // RS1 signs SHA-1.
    let old = try account(#"{"name":"raxx.app/cose-algorithm","algorithm":-65535}"#)
    #expect(old.passkeys.isEmpty && old.excludedPasskeys.map(\.reason) == [.unusableKey])
    let other = try account(#"{"name":"raxx.app/cose-algorithm","algorithm":-9},{"name":"shared"}"#)
    #expect(other.passkeys.map(\.algorithm) == [.esp256])
    #expect(other.leftOutMembers.entries.map(\.name) == ["item.extensions"])
    let item = ExchangeSample.item(ExchangeSample.passkey(), more: #","extensions":"text""#)
    let text = try #require(
      CredentialExchangeFile(parsing: ExchangeSample.file(ExchangeSample.account(item))).accounts.first)
    #expect(text.passkeys.count == 1 && text.leftOutMembers.entries.map(\.name) == ["item.extensions"])
  }
}

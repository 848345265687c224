// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct CredentialExchangeFileTests {
  @Test func `a file of another provider is read, and the rest is counted by name`() throws {
    let file = try CredentialExchangeFile(
      parsing: ExchangeSample.file(
        ExchangeSample.account(
          ExchangeSample.item(
            ExchangeSample.passkey(["future": "[7]"]), #"{"type":"basic-auth","password":{"value":"x"}}"#,
            more: #","subtitle":"ada@raxx.app","favorite":true,"tags":["work"],"scope":{"urls":["https://raxx.app"]}"#),
          ExchangeSample.item(#"{"type":"note"}"#, #"{"type":"basic-auth"}"#, "{}", more: #","tags":["home"]"#),
          more: #","fullName":"Ada L","extensions":[{"name":"shared"}]"#),
        #"{"id":"Ym9i","items":[]}"#, more: #","hash":"abc""#))
    #expect(file.exporterRelyingPartyID == "vault.example" && file.exporterName == "Vault")
    #expect(file.exported == UnixTime(secondsSince1970: 1_790_000_002))
    #expect(file.leftOutMembers.entries.map(\.name) == ["header.hash"])
    #expect(file.accounts.map(\.id) == ["YWNj", "Ym9i"])
    #expect(file.accounts.map(\.email) == ["ada@example.com", nil])
    let account = try #require(file.accounts.first)
    #expect(account.excludedPasskeys.isEmpty)
    #expect(account.otherCredentials.entries.map(\.name) == ["(no type)", "basic-auth", "note"])
    #expect(account.otherCredentials["basic-auth"] == 2)
    // The members of an item without a passkey belong to its other credentials.
    #expect(
      account.leftOutMembers.entries.map(\.name)
        == ["account.extensions", "item.favorite", "item.scope", "item.tags", "passkey.future"])
    let passkey = try #require(account.passkeys.first)
    #expect(passkey.id.bytes == [1, 2, 3] && passkey.relyingPartyID.text == "raxx.app")
    #expect(passkey.title == "Raxx" && passkey.created == UnixTime(secondsSince1970: 1_790_000_000))
    #expect(passkey.user.name == "ada@raxx.app" && passkey.user.displayName == "Ada")
    #expect(passkey.user.id.bytes.elementsEqual("ada".utf8) && passkey.algorithm == .es256)
    #expect(passkey.extensionSecrets == nil && passkey.blob == nil && passkey.largeBlob == nil)
    #expect(!passkey.allowsThirdPartyPayment)
  }

  @Test func `an account without the header is read`() throws {
    let account = ExchangeSample.account(ExchangeSample.item(ExchangeSample.passkey()))
    let file = try CredentialExchangeFile(parsing: [UInt8](account.utf8))
    #expect(file.accounts.map(\.id) == ["YWNj"] && file.accounts.first?.passkeys.map(\.id.bytes) == [[1, 2, 3]])
    #expect(file.exporterName == nil && file.exporterRelyingPartyID == nil && file.exported == nil)
    #expect(file.leftOutMembers.entries.isEmpty)
    // A header without its version or accounts is not an account.
    for text in [#"{"accounts":[],"items":[]}"#, #"{"version":{"major":1,"minor":0},"items":[]}"#, #"{"items":{}}"#] {
      #expect(throws: CredentialExchangeError.self, "\(text)") {
        try CredentialExchangeFile(parsing: [UInt8](text.utf8))
      }
    }
  }

  @Test func `extensions are read`() throws {
    let secret = Base64URL.encode([UInt8](repeating: 7, count: 32))
    let other = Base64URL.encode([UInt8](repeating: 9, count: 32))
    let account = try ExchangeSample.readAccount(
      ExchangeSample.extended(
        #"{"hmacCredentials":{"algorithm":"hmac-sha256","credWithUV":"\#(secret)","credWithoutUV":"\#(other)"},"#
          + #""credBlob":"AQI","largeBlob":{"uncompressedSize":9,"data":"BAU"},"payments":true,"future":{"a":1}}"#))
    let passkey = try #require(account.passkeys.first)
    #expect(passkey.extensionSecrets?.withVerification.exposedBytes == [UInt8](repeating: 7, count: 32))
    #expect(passkey.extensionSecrets?.withoutVerification.exposedBytes == [UInt8](repeating: 9, count: 32))
    #expect(passkey.blob == [1, 2] && passkey.allowsThirdPartyPayment)
    #expect(passkey.largeBlob == .init(uncompressedByteCount: 9, compressed: [4, 5]))
    #expect(account.leftOutMembers.entries.map(\.name) == ["fido2Extensions.future"])
  }

  @Test(arguments: [
    ["username": "", "userDisplayName": ""], ["username": #""""#, "userDisplayName": "null"],
    ["fido2Extensions": "null"], ["fido2Extensions": "{}"],
    ["fido2Extensions": #"{"hmacCredentials":null,"credBlob":null,"largeBlob":null,"payments":null}"#],
  ])
  func `empty names and extensions carry no information`(changes: [String: String]) throws {
    let account = try ExchangeSample.readAccount(ExchangeSample.passkey(changes))
    let passkey = try #require(account.passkeys.first)
    #expect(passkey.user.name == (changes["username"] == nil ? "ada@raxx.app" : nil))
    #expect(passkey.extensionSecrets == nil && passkey.largeBlob == nil && account.leftOutMembers.isEmpty)
  }

  @Test(arguments: ["credentialId", "rpId", "userHandle", "key"], ["", "null", "7", "[]", #""""#, #""a+/=""#])
  func `a passkey with a missing or invalid member is left out with its reason`(name: String, text: String) throws {
    let account = try ExchangeSample.readAccount(ExchangeSample.passkey([name: text]))
    #expect(account.passkeys.isEmpty)
    let excluded = try #require(account.excludedPasskeys.first)
    #expect(excluded.reason == (name == "key" && text == #""""# ? .unusableKey : .malformed))
    #expect(excluded.detail.contains(name) || excluded.reason == .unusableKey)
    #expect(excluded.userName == "ada@raxx.app")
    #expect(excluded.id?.bytes == (name == "credentialId" ? nil : [1, 2, 3]))
  }

  @Test(arguments: [
    #""AQIDBAUGBwg""#,
    // X25519, whose keys do not sign.
    #""MC4CAQAwBQYDK2VuBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f""#,
    // P-256 without a private key.
    #""MBkCAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQc""#,
  ])
  func `a key of another kind is left out`(text: String) throws {
    let account = try ExchangeSample.readAccount(ExchangeSample.passkey(["key": text]))
    #expect(account.excludedPasskeys.map(\.reason) == [.unusableKey])
  }

  @Test(arguments: [
    #"{"hmacCredentials":{"algorithm":"hmac-sha512","credWithUV":"AA","credWithoutUV":"AA"}}"#,
    #"{"hmacCredentials":{"algorithm":"hmac-sha256","credWithUV":"AA","credWithoutUV":"AA"}}"#,
    #"{"hmacCredentials":{"algorithm":"hmac-sha256"}}"#, #"{"hmacCredentials":[]}"#, #"{"credBlob":1}"#,
    #"{"credBlob":"\#(Base64URL.encode([UInt8](repeating: 0, count: 1_025)))"}"#, #"{"credBlob":"="}"#,
    #"{"largeBlob":{"uncompressedSize":-1,"data":""}}"#, #"{"largeBlob":{"uncompressedSize":1048577,"data":""}}"#,
    #"{"largeBlob":{"uncompressedSize":1}}"#, #"{"largeBlob":{"uncompressedSize":1.5,"data":""}}"#,
    #"{"largeBlob":{"uncompressedSize":1,"data":"\#(Base64URL.encode([UInt8](repeating: 0, count: 16_385)))"}}"#,
    #"{"payments":"yes"}"#,
  ])
  func `a passkey whose extensions would be lost is left out`(extensions: String) throws {
    let account = try ExchangeSample.readAccount(ExchangeSample.extended(extensions))
    #expect(account.excludedPasskeys.map(\.reason) == [.unusableExtension])
    #expect(account.passkeys.isEmpty && account.leftOutMembers.isEmpty)
  }

  @Test func `the second passkey with an id is left out`() throws {
    let file = try CredentialExchangeFile(
      parsing: ExchangeSample.file(
        ExchangeSample.account(
          ExchangeSample.item(ExchangeSample.passkey()),
          ExchangeSample.item(ExchangeSample.passkey(["rpId": #""yapt.example""#])))))
    let account = try #require(file.accounts.first)
    #expect(account.passkeys.map(\.relyingPartyID.text) == ["raxx.app"])
    #expect(account.excludedPasskeys.map(\.reason) == [.duplicate])
    #expect(account.excludedPasskeys.first?.relyingPartyID == "yapt.example")
  }

  @Test(arguments: ["YWNj", "ada", "ada@example.com"])
  func `an account is chosen by its id, user name or email address`(name: String) throws {
    let file = try CredentialExchangeFile(
      parsing: ExchangeSample.file(ExchangeSample.account(), #"{"id":"Ym9i","email":"","items":[]}"#))
    #expect(file.withAccounts(named: name).accounts.map(\.id) == ["YWNj"])
    #expect(file.withAccounts(named: "Ada").accounts.isEmpty)
  }

  @Test func `another major version is refused`() {
    #expect(ExchangeSample.error(ExchangeSample.file(version: "0"))?.code == .anotherVersion)
    #expect(
      ExchangeSample.error(ExchangeSample.file(version: "2"))?.description
        == "credential-exchange.another-version: the file has version 2, not 1")
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"version":1,"accounts":[]}"#, #"{"version":{"major":1}}"#,
    #"{"version":{"major":1},"accounts":{}}"#, #"{"version":{"major":1},"accounts":[7]}"#,
    #"{"version":{"major":1},"accounts":[{}]}"#, #"{"version":{"major":1},"accounts":[{"items":[{}]}]}"#,
    #"{"version":{"major":1},"accounts":[{"items":[{"credentials":7}]}]}"#,
    #"{"version":{"major":"1"},"accounts":[]}"#, #"{"version":{"major":1},"exporterRpId":7,"accounts":[]}"#,
    #"{"version":{"major":1},"accounts":[],"accounts":[]}"#,
  ])
  func `a text of another structure is refused`(text: String) {
    #expect(ExchangeSample.error([UInt8](text.utf8))?.code == .malformed)
  }

  @Test func `the limits of size, depth and number of accounts hold`() throws {
    let deep = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
    #expect(ExchangeSample.error(ExchangeSample.file(more: #","x":\#(deep)"#)) == nil)
    #expect(ExchangeSample.error(ExchangeSample.file(more: #","x":[\#(deep)]"#))?.code == .malformed)
    let account = #"{"items":[]}"#
    func accounts(_ count: Int) -> [UInt8] {
      let list = [String](repeating: account, count: count).joined(separator: ",")
      return [UInt8](#"{"version":{"major":1},"accounts":[\#(list)]}"#.utf8)
    }
    #expect(ExchangeSample.error(accounts(256)) == nil)
    #expect(ExchangeSample.error(accounts(257))?.code == .malformed)
    let spaces = [UInt8](repeating: 0x20, count: CredentialExchangeFile.maximumByteCount - account.utf8.count)
    let small = [UInt8](#"{"version":{"major":1},"accounts":[]}"#.utf8)
    #expect(ExchangeSample.error(small + spaces.dropLast(small.count)) == nil)
    #expect(ExchangeSample.error(small + spaces)?.code == .malformed)
  }

  @Test func `a report names at most 64 things, each with at most 64 characters`() {
    var tally = NameTally()
    for number in 0..<100 { tally.add("\(number)" + String(repeating: "x", count: 100)) }
    #expect(tally.entries.count == 65)
    #expect(tally[NameTally.otherNames] == 36)
    #expect(tally.entries.allSatisfy { (entry) in entry.name.count <= 64 })
  }

  @Test func `no error contains a key`() throws {
    let key = try #require(ExchangeSample.key)
    let account = try ExchangeSample.readAccount(ExchangeSample.passkey(["key": "\"\(key)AAAA\""]))
    let excluded = try #require(account.excludedPasskeys.first)
    #expect(excluded.reason == .unusableKey)
    #expect(!"\(excluded)".contains(key.prefix(8)) && !"\(excluded)".contains(key.suffix(8)))
  }

  @Test func `a corrupt file is read or refused, and never traps`() throws {
    let text = ExchangeSample.file(ExchangeSample.account(ExchangeSample.item(ExchangeSample.passkey())))
    try PropertyRuns.check(default: 300) { (generator) in
      _ = try? CredentialExchangeFile(parsing: Mutation.mutated(text, using: &generator))
    }
  }
}

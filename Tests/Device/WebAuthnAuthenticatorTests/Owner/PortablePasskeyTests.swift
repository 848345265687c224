// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct PortablePasskeyTests {
  private func portable(_ algorithm: COSEAlgorithm = .es256) throws -> PortablePasskey {
    var passkey = try StoredPasskey.made(for: "raxx.app", user: "ada", algorithm: algorithm, isBackupEligible: true)
    passkey.user?.displayName = "Ada \"L\" \u{1F511}"
    return try PortablePasskey(passkey)
  }

  @Test(arguments: AuthenticatorProfile.everyAlgorithm.filter { supportedAlgorithms.contains($0) && !$0.isRSA })
  func `a passkey survives a round trip`(algorithm: COSEAlgorithm) throws {
    let passkey = try portable(algorithm)
    let read = try PortablePasskey(json: passkey.json)
    #expect(read.id == passkey.id)
    #expect(read.relyingPartyID == passkey.relyingPartyID)
    #expect(read.user == passkey.user)
    #expect(read.algorithm == algorithm)
    #expect(read.privateKey == passkey.privateKey)
    #expect(read.json == passkey.json)
  }

  @Test func `a user without names is imported without names`() throws {
    let text = try Self.without("userName", in: Self.without("userDisplayName", in: portable().json))
    let read = try PortablePasskey(json: text)
    #expect(read.user.name == nil && read.user.displayName == nil)
  }

  @Test func `an unknown member is ignored`() throws {
    let text = try Self.replacing("{", "{\n  \"colour\": [1, {}],", in: portable().json)
    #expect(try PortablePasskey(json: text).relyingPartyID.text == "raxx.app")
  }

  @Test(arguments: ["format", "rpId", "userHandle", "credentialId", "algorithm", "privateKey"])
  func `a missing member is reported`(name: String) throws {
    #expect(Self.code(try Self.without(name, in: portable().json)) == .malformed)
  }

  @Test(arguments: [
    ("\"raxx.app\"", "\"https://raxx.app\""), ("\"raxx.app\"", "7"), ("\"userHandle\": \"", "\"userHandle\": \"!"),
    ("\"userHandle\": \"", "\"userHandle\": \"\", \"x\": \""), ("\"credentialId\": \"", "\"credentialId\": \"+"),
    ("\"algorithm\": -7", "\"algorithm\": \"ES256\""), ("\"algorithm\": -7", "\"algorithm\": -7.5"),
    ("\"userName\": \"ada\"", "\"userName\": 1"),
  ])
  func `an invalid member is reported`(from: String, to: String) throws {
    let text = try Self.replacing(from, to, in: portable().json)
    #expect(Self.code(text) == .malformed)
  }

  @Test func `another format is reported`() throws {
    #expect(Self.code(try Self.replacing("passkey/1", "passkey/2", in: portable().json)) == .anotherFormat)
  }

  @Test func `a key that does not match its algorithm is reported`() throws {
    let text = try portable().json
    #expect(Self.code(try Self.replacing("\"algorithm\": -7", "\"algorithm\": -8", in: text)) == .unusableKey)
    #expect(Self.code(try Self.replacing("\"algorithm\": -7", "\"algorithm\": -999", in: text)) == .unusableKey)
    #expect(
      Self.code(try Self.replacing("\"privateKey\": \"", "\"privateKey\": \"\", \"x\": \"", in: text)) == .unusableKey)
  }

  @Test func `errors contain nothing of the key`() throws {
    let passkey = try portable()
    let text = try Self.replacing("\"algorithm\": -7", "\"algorithm\": -8", in: passkey.json)
    do {
      _ = try PortablePasskey(json: text)
      Issue.record("an ES256 key was taken for another's")
    } catch {
      let key = passkey.privateKey.withBytes { (bytes) in Base64URL.encode(bytes) }
      #expect(!error.description.contains(key.prefix(8)))
      #expect(error.description.hasPrefix("portable-passkey.unusable-key: "))
    }
  }

  @Test func `a corrupt text is read or refused, and never traps`() throws {
    let text = try portable().json
    try PropertyRuns.check(default: 500) { (generator) in
      _ = try? PortablePasskey(json: Mutation.mutated(text, using: &generator))
    }
  }

  @Test func `a U2F credential has no relying party and cannot be exported`() throws {
    var passkey = try StoredPasskey.made(for: "raxx.app", user: "ada", isBackupEligible: true)
    passkey.user = nil
    #expect(throws: CTAPError(.notAllowed, "a U2F credential has no RP ID")) {
      try PortablePasskey(passkey)
    }
  }

  /// Returns the error code of a refused text.
  private static func code(_ text: [UInt8]) -> PortablePasskeyError.Code? {
    do {
      _ = try PortablePasskey(json: text)
      return nil
    } catch {
      return error.code
    }
  }

  private static func replacing(_ old: String, _ new: String, in text: [UInt8]) throws -> [UInt8] {
    let text = String(decoding: text, as: UTF8.self)
    try #require(text.contains(old), "\(old)")
    return [UInt8](text.replacing(old, with: new, maxReplacements: 1).utf8)
  }

  /// Returns the text with a member renamed.
  private static func without(_ name: String, in text: [UInt8]) throws -> [UInt8] {
    try replacing("\"\(name)\"", "\"not-\(name)\"", in: text)
  }
}

extension COSEAlgorithm {
  /// Whether the algorithm is RSA, whose keys take much longer to generate.
  fileprivate var isRSA: Bool {
    [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512].contains(self)
  }
}

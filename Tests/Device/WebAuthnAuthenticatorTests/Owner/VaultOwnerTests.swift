// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct VaultOwnerTests {
  private let vault: MemoryVault
  private let owner: VaultOwner

  init() throws {
    var state = try DeviceState.factory(random: .system)
    state.passkeys = [
      try .made(for: "raxx.app", user: "ada"), try .made(for: "raxx.app", user: "bob", sequence: 1),
    ]
    state.nextSequence = 2
    vault = MemoryVault(state)
    owner = VaultOwner(of: vault)
  }

  private func id(_ name: String) throws -> CredentialID { try CredentialID([UInt8]("\(name)@raxx.app".utf8)) }

  @Test func `passkeys are listed in order of creation`() throws {
    #expect(try owner.passkeys().map(\.user?.name) == ["ada", "bob"])
  }

  @Test func `undoing a new passkey restores the one it replaced`() throws {
    let former = try #require(try owner.passkeys().first)
    let new = try StoredPasskey.made(for: "raxx.app", user: "ada", id: "new", sequence: 2)
    try vault.update { (state) throws(CTAPError) in try state.add(new) }
    #expect(try owner.passkeys().map(\.id) == [id("bob"), new.id])
    let before = try vault.read().identity.credentialStoreState
    try owner.undo(making: new.id, inPlaceOf: [former])
    #expect(try owner.passkeys().map(\.id) == [id("ada"), id("bob")])
    #expect(try vault.read().identity.credentialStoreState != before)
    expect(.noCredentials) { try owner.undo(making: new.id, inPlaceOf: [former]) }
  }

  @Test func `an undone passkey is not restored if another took its place`() throws {
    let former = try #require(try owner.passkeys().first)
    let (new, newest) = (
      try StoredPasskey.made(for: "raxx.app", user: "ada", id: "new", isDiscoverable: false, sequence: 2),
      try StoredPasskey.made(for: "raxx.app", user: "ada", id: "newest", sequence: 3)
    )
    try vault.update { (state) throws(CTAPError) in
      try state.add(new)
      try state.add(newest)
    }
    try owner.undo(making: new.id, inPlaceOf: [former])
    #expect(try owner.passkeys().map(\.id) == [id("bob"), newest.id])
  }

  @Test func `one name is changed or removed, and the other stays`() throws {
    try owner.rename(id("ada"), displayName: "Ada L.")
    try owner.rename(id("ada"), name: "lovelace")
    #expect(try owner.passkeys()[0].user?.name == "lovelace")
    #expect(try owner.passkeys()[0].user?.displayName == "Ada L.")
    try owner.rename(id("ada"), name: "")
    #expect(try owner.passkeys()[0].user?.name == nil)
    #expect(try owner.passkeys()[0].user?.displayName == "Ada L.")
    #expect(try owner.passkeys()[1].user?.name == "bob")
  }

  @Test func `a name that is too long is cut`() throws {
    try owner.rename(id("ada"), name: String(repeating: "x", count: 5_000))
    #expect(try owner.passkeys()[0].user?.name == String(repeating: "x", count: 64))
  }

  @Test func `a change of the vault's content changes the store state`() throws {
    var seen = [try vault.read().identity.credentialStoreState]
    try owner.rename(id("ada"), name: "lovelace")
    seen.append(try vault.read().identity.credentialStoreState)
    try owner.delete(id("bob"))
    seen.append(try vault.read().identity.credentialStoreState)
    #expect(seen[0] != seen[1] && seen[1] != seen[2])
  }

  @Test func `deleting a passkey deletes nothing else`() throws {
    try owner.delete(id("ada"))
    #expect(try owner.passkeys().map(\.user?.name) == ["bob"])
    #expect(throws: CTAPError(.noCredentials)) { try owner.delete(id("ada")) }
    #expect(throws: CTAPError(.noCredentials)) { try owner.rename(id("ada"), name: "x") }
  }

  @Test func `a U2F credential has no user to rename`() throws {
    try vault.update { (state) in state.passkeys[0].user = nil }
    #expect(throws: CTAPError(.notAllowed, "a U2F credential has no user")) { try owner.rename(id("ada"), name: "x") }
  }

  @Test func `a new PIN has all attempts and ends old tokens`() throws {
    let token = try RandomSource.system.secret(32)
    #expect(try !owner.hasPIN())
    try vault.update { (state) in
      state.settings.forcesPINChange = true
      state.persistentToken = token
    }
    try owner.setPIN(SecretBytes(utf8: "1234"))
    try vault.update { (state) in state.pin?.remainingAttempts = 0 }
    try owner.setPIN(SecretBytes(utf8: "5678"))
    let state = try vault.read()
    #expect(try owner.hasPIN())
    #expect(state.pin?.remainingAttempts == 8)
    #expect(!state.settings.forcesPINChange)
    #expect(state.persistentToken != token)
    #expect(state.passkeys.count == 2)
  }

  @Test func `a PIN that is too short is refused, and the old one stays`() throws {
    try owner.setPIN(SecretBytes(utf8: "1234"))
    let before = try vault.read().pin?.hash
    do {
      try owner.setPIN(SecretBytes(utf8: "123"))
      Issue.record("a PIN of three characters was set")
    } catch {
      #expect(error.status == .pinPolicyViolation)
    }
    #expect(try vault.read().pin?.hash == before)
  }

  @Test func `a reset restores factory settings with a new identity`() throws {
    let before = try vault.read().identity.identifier
    try owner.setPIN(SecretBytes(utf8: "1234"))
    try owner.reset()
    let state = try vault.read()
    #expect(state.passkeys.isEmpty && state.pin == nil)
    #expect(state.identity.identifier != before)
  }
}

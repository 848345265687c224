// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let erasure: [Case] = [
    Case("erasing an account deletes all its data and no other") { store in
      let storage = store.storage
      let ada = try await Settled(storage, "ada@raxx.app", address: "192.0.2.1")
      let ben = try await Settled(storage, "ben@raxx.app", address: "192.0.2.2")
      let before = try await storage.recordCount
      let erased = try Sample.draft(.accountErased, of: ada.account.handle, address: "192.0.2.1")
      #expect(try await storage.erase(ada.account.handle, spending: nil, audit: [erased]).refusal == nil)
      #expect(try await storage.recordCount == before + 1)
      try await ada.expectGone(from: storage)
      try await ben.expectThere(in: storage)
      // No personal details of the erased user remain.
      let entries = try await storage.auditEntries(after: 0, of: nil, limit: 1000)
      let values = entries.flatMap(\.personalDetails).map(\.value)
      #expect(values == ["192.0.2.2"])
      #expect(entries.last?.record.event == .accountErased)
      #expect(entries.last?.record.commitments["address"] != nil)
      #expect(try await storage.erase(ada.account.handle, spending: nil, audit: [erased]).refusal == .accountUnknown)
      try await expectWholeTrail(storage, before + 1)
    },
    Case("erasing an account deletes its personal details in records of others") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      // Ada acts on the other account, and each account has a record with personal details of the other.
      var acting = try Sample.draft(.accountApproved, of: ben.handle, by: ada.handle, address: "192.0.2.1")
      acting.personalDetails[0].person = ada.handle
      var mentioning = try Sample.draft(of: ben.handle, address: "192.0.2.2")
      mentioning.personalDetails[0].person = ada.handle
      var mentioned = try Sample.draft(of: ada.handle, address: "192.0.2.3")
      mentioned.personalDetails[0].person = ben.handle
      try await storage.append([acting, mentioning, mentioned])
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      let entries = try await storage.auditEntries(after: 0, of: nil, limit: 1000)
      #expect(entries.flatMap(\.personalDetails).map(\.value) == ["192.0.2.3"])
    },
    Case("no personal details are stored for unknown or erased accounts") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let nobody = try Sample.account().handle
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      var both = try Sample.draft(of: ben.handle, address: "192.0.2.4")
      both.personalDetails += try Sample.draft(of: ada.handle, address: "192.0.2.5").personalDetails
      try await storage.append([
        Sample.draft(of: ada.handle, address: "192.0.2.1"), Sample.draft(of: nobody, address: "192.0.2.2"),
        Sample.draft(address: "192.0.2.3"), both,
      ])
      let entries = try await storage.auditEntries(after: 0, of: nil, limit: 1000)
      #expect(entries.flatMap(\.personalDetails).map(\.value) == ["192.0.2.3", "192.0.2.4"])
      try await expectWholeTrail(storage, Int64(entries.count))
    },
    Case("the address of an erased account is free") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      _ = try await storage.erase(ada.handle, spending: nil, audit: [])
      let again = try Sample.account("ada@raxx.app")
      let commit = RegistrationCommit(
        owner: .newAccount(again), passkey: Passkey(passkey, of: again.handle), code: nil, opening: nil,
        maximumPasskeyCount: 1, time: Sample.start, audit: [])
      #expect(try await storage.register(commit).value == again)
    },
    Case("erasing an account spends its grant, and fails without one") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try await storage.grant(passkey, opening)
      var wrong = GrantSpending(grant)
      wrong.actionDigest = try Sample.bytes(32)
      #expect(try await storage.erase(ada.handle, spending: wrong, audit: []).refusal == .stepUpGrantRefused)
      #expect(try await storage.account(ada.handle) == ada)
      let another = try await storage.grant(passkey, opening)
      #expect(try await storage.erase(ada.handle, spending: GrantSpending(another), audit: []).refusal == nil)
    },
  ]
}

/// An account with data of every kind.
private struct Settled {
  let account: Account
  let passkey: Passkey
  let opening: SessionOpening
  let grant: StepUpGrant
  let device: Device
  let recovery: IssuedCode
  let invitation: IssuedCode

  init(_ storage: DatabaseStorage, _ email: String, address: String) async throws {
    (account, passkey) = try await storage.registerAccount(Sample.account(email))
    opening = try await storage.open(passkey, renewable: true)
    grant = try await storage.grant(passkey, opening)
    device = Device(
      id: try Sample.identifier(), user: account.handle, service: .apns, token: "token-of-\(email)",
      created: Sample.start)
    _ = try await storage.register(device, maximumCount: 5, audit: [])
    recovery = IssuedCode(
      digest: try Sample.identifier(), purpose: .recovery, account: account.handle, created: Sample.start,
      expiry: Sample.time(100))
    _ = try await storage.issue(recovery, spending: nil, audit: [])
    invitation = IssuedCode(
      digest: try Sample.identifier(), purpose: .invitation, email: account.email, created: Sample.start,
      expiry: Sample.time(100))
    _ = try await storage.issue(invitation, spending: nil, audit: [])
    try await storage.append([Sample.draft(of: account.handle, address: address)])
  }

  func expectGone(from storage: DatabaseStorage) async throws {
    #expect(try await storage.account(account.handle) == nil)
    #expect(try await storage.account(account.names.primary) == nil)
    #expect(try await storage.candidate(account.names.primary) == nil)
    #expect(try await storage.passkey(passkey.record.id) == nil)
    #expect(try await storage.passkeys(of: account.handle).isEmpty)
    #expect(try await storage.session(token: opening.token) == nil)
    #expect(try await storage.refreshToken(#require(opening.refresh).digest) == nil)
    #expect(try await storage.devices(of: account.handle).isEmpty)
    #expect(try await storage.code(recovery.digest) == nil)
    #expect(try await storage.code(invitation.digest) == nil)
    #expect(try await !storage.spend(GrantSpending(grant), audit: []))
  }

  func expectThere(in storage: DatabaseStorage) async throws {
    #expect(try await storage.account(account.handle) == account)
    #expect(try await storage.passkeys(of: account.handle).map(\.record.id) == [passkey.record.id])
    #expect(try await storage.session(token: opening.token)?.session == opening.session)
    #expect(try await storage.refreshToken(#require(opening.refresh).digest) == opening.refresh)
    #expect(try await storage.devices(of: account.handle) == [device])
    #expect(try await storage.code(recovery.digest) == recovery)
    #expect(try await storage.code(invitation.digest) == invitation)
    #expect(try await storage.spend(GrantSpending(grant), audit: []))
  }
}

extension Passkey {
  /// The same authenticator's passkey, for another user.
  init(_ passkey: Passkey, of user: UserHandle) {
    self = passkey
    self.user = user
  }
}

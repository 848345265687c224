// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let codes: [Case] = [
    Case("a code is returned as stored") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let recovery = IssuedCode(
        digest: try Sample.identifier(), purpose: .recovery, account: ada.handle, created: Sample.start,
        expiry: Sample.time(10))
      let invitation = IssuedCode(
        digest: try Sample.identifier(), purpose: .invitation, email: try EmailAddress("ben@raxx.app"),
        roles: [.administrator, Role(rawValue: "b"), Role(rawValue: "a")], created: Sample.time(1),
        expiry: Sample.time(-10))
      for code in [recovery, invitation] {
        #expect(try await storage.issue(code, spending: nil, audit: [Sample.draft()]).refusal == nil)
        #expect(try await storage.code(code.digest) == code)
      }
      #expect(try await storage.recordCount == 2)
      #expect(try await storage.code(Sample.identifier()) == nil)
    },
    Case("an account's newer code replaces its older ones only") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      var codes: [IssuedCode] = []
      for handle in [ada.handle, ben.handle, ada.handle, nil, nil] {
        let code = IssuedCode(
          digest: try Sample.identifier(), purpose: handle == nil ? .invitation : .recovery, account: handle,
          created: Sample.start, expiry: Sample.time(10))
        _ = try await storage.issue(code, spending: nil, audit: [])
        codes.append(code)
      }
      #expect(try await storage.code(codes[0].digest) == nil)
      for code in codes.dropFirst() { #expect(try await storage.code(code.digest) == code) }
    },
    Case("a code for an unknown account is refused") { store in
      let storage = store.storage
      let code = IssuedCode(
        digest: try Sample.identifier(), purpose: .recovery, account: try Sample.account().handle,
        created: Sample.start, expiry: Sample.time(10))
      #expect(try await storage.issue(code, spending: nil, audit: [Sample.draft()]).refusal == .accountUnknown)
      #expect(try await storage.code(code.digest) == nil)
      #expect(try await storage.recordCount == 0)
    },
    Case("a code spends its grant, and is not stored without one") { store in
      let storage = store.storage
      let (_, passkey) = try await storage.registerAccount()
      let opening = try await storage.open(passkey)
      let grant = try await storage.grant(passkey, opening)
      let code = IssuedCode(
        digest: try Sample.identifier(), purpose: .invitation, created: Sample.start, expiry: Sample.time(10))
      #expect(try await storage.issue(code, spending: GrantSpending(grant), audit: []).refusal == nil)
      var second = code
      second.digest = try Sample.identifier()
      #expect(
        try await storage.issue(second, spending: GrantSpending(grant), audit: [Sample.draft()]).refusal
          == .stepUpGrantRefused)
      #expect(try await storage.code(second.digest) == nil)
      #expect(try await storage.recordCount == 0)
    },
    Case("an account is created with the code for its first passkey") { store in
      let storage = store.storage
      let ada = try Sample.account()
      let code = IssuedCode(
        digest: try Sample.identifier(), purpose: .recovery, account: ada.handle, created: Sample.start,
        expiry: Sample.time(10))
      #expect(try await storage.create(ada, code: code, spending: nil, audit: []).refusal == nil)
      #expect(try await storage.code(code.digest) == code)
      var other = try Sample.account()
      other.names = ada.names
      var second = code
      second.digest = try Sample.identifier()
      #expect(try await storage.create(other, code: second, spending: nil, audit: []).refusal == .accountEmailTaken)
      #expect(try await storage.code(second.digest) == nil)
    },
  ]
}

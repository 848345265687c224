// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let trail: [Case] = [
    Case("a new trail is empty") { store in
      #expect(try await store.storage.auditEntries(after: 0, of: nil, limit: 9).isEmpty)
      try await store.storage.database.check()
    },
    Case("records are returned as written, with their details") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let drafts = [
        try Sample.draft(.accountCreated, of: ada.handle, address: "2001:db8::1"),
        AuditDraft(
          time: Sample.time(-5), actor: nil, account: nil, event: AuditEvent(rawValue: "order.placed"), subject: nil,
          outcome: "order.too-large", requestID: "é – \u{0}", details: [:]),
      ]
      try await storage.append(drafts)
      let (first, second) = (drafts[0].logged(as: 1), drafts[1].logged(as: 2))
      #expect(try await storage.auditEntries(after: 0, of: nil, limit: 9) == [first, second])
      #expect(try await storage.auditEntries(after: 1, of: nil, limit: 9) == [second])
      #expect(try await storage.auditEntries(after: 0, of: nil, limit: 1) == [first])
      #expect(try await storage.auditEntries(after: 2, of: nil, limit: 9).isEmpty)
    },
    Case("200 concurrent events have one record each") { store in
      let accounts = try await [store.storage.registerAccount().account, store.storage.registerAccount().account]
      _ = try await store.inParallel(200) { (storage, number) in
        let draft = try Sample.draft(of: accounts[number % 2].handle, address: "192.0.2.\(number)")
        try await storage.append(number.isMultiple(of: 10) ? [draft, draft] : [draft])
        return number
      }
      try await expectWholeTrail(store.storage, 220)
    },
    Case("an account's records are those of its own and others' actions on it, each once") { store in
      let storage = store.storage
      let ada = try Sample.account().handle
      let ben = try Sample.account().handle
      for (actor, account) in [(ada, ada), (ben, ben), (ada, ben), (ben, ada), (ben, ben)] {
        try await storage.append([Sample.draft(of: account, by: actor)])
      }
      try await storage.append([
        AuditDraft(
          time: Sample.start, actor: nil, account: ada, event: .sessionOpened, outcome: "sign-in.refused",
          requestID: "r")
      ])
      #expect(
        try await storage.auditEntries(after: 0, of: ada, limit: 9).map(\.record.sequence) == [1, 3, 4, 6])
      #expect(try await storage.auditEntries(after: 1, of: ada, limit: 2).map(\.record.sequence) == [3, 4])
      #expect(
        try await storage.auditEntries(after: 0, of: ben, limit: 9).map(\.record.sequence) == [2, 3, 4, 5])
    },
    Case("reads are not recorded") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      _ = try await storage.account(ada.handle)
      _ = try await storage.candidate(ada.names.primary)
      _ = try await storage.passkeys(of: passkey.user)
      try await storage.append([])
      #expect(try await storage.recordCount == 0)
    },
  ]
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

/// Email ceremonies: their records, mails and wrong codes.
extension StorageContract {
  static let emails: [Case] = [
    Case("an email ceremony is returned as stored, by its ID and its token") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      for purpose in EmailCeremony.Purpose.allCases {
        let owner: [UserHandle?] = purpose == .signUp ? [nil] : [ada.handle, nil]
        for account in owner {
          var ceremony = try Sample.email(purpose, "\(purpose.rawValue)@raxx.app", of: account)
          (ceremony.isDecoy, ceremony.payload) = (account == nil, try Sample.bytes(300))
          (ceremony.notBefore, ceremony.failedAttempts) = (account == nil ? nil : Sample.time(5), 2)
          if purpose == .recovery, account == nil { ceremony.email = try EmailAddress("other@raxx.app") }
          #expect(try await storage.begin(Sample.start(ceremony), spending: nil).value == true)
          #expect(try await storage.emailCeremony(ceremony.id) == ceremony)
          #expect(try await storage.emailCeremony(token: ceremony.token) == ceremony)
        }
      }
      #expect(try await storage.emailCeremony(Sample.identifier()) == nil)
      #expect(try await storage.emailCeremony(token: Sample.identifier()) == nil)
    },
    Case("the email ceremonies of an account are listed, the oldest first") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      var hers: [EmailCeremony] = []
      for purpose in [EmailCeremony.Purpose.verification, .addressChange, .replacedAddress] {
        for owner in [ada, ben] {
          var ceremony = try Sample.email(purpose, of: owner.handle)
          if purpose == .replacedAddress { ceremony.created = ceremony.created + .seconds(1) }
          #expect(try await storage.begin(Sample.start(ceremony), spending: nil).value == true)
          if owner == ada { hers.append(ceremony) }
        }
      }
      let order = hers[..<2].sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) } + hers[2...]
      #expect(try await storage.emailCeremonies(of: ada.handle) == order)
    },
    Case("a ceremony of an unknown or closed account is not stored") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      _ = try await storage.change(ada.handle, .disable, at: Sample.start, spending: nil, audit: [])
      for handle in [ada.handle, try Sample.account().handle] {
        let ceremony = try Sample.email(.verification, of: handle)
        #expect(try await storage.begin(Sample.start(ceremony), spending: nil).refusal == .accountUnknown)
        #expect(try await storage.emailCeremony(ceremony.id) == nil)
      }
      #expect(try await storage.recordCount == 0)
    },
    Case("beginning a ceremony spends its grant, and stores nothing without one") { store in
      let storage = store.storage
      let (ada, passkey) = try await storage.registerAccount()
      let grant = try await storage.grant(passkey, storage.open(passkey))
      let first = try Sample.email(.addressChange, of: ada.handle)
      #expect(try await storage.begin(Sample.start(first), spending: GrantSpending(grant)).value == true)
      let second = try Sample.email(.addressChange, of: ada.handle)
      #expect(
        try await storage.begin(Sample.start(second), spending: GrantSpending(grant)).refusal == .stepUpGrantRefused)
      #expect(try await storage.emailCeremony(second.id) == nil)
      #expect(try await storage.emailCeremony(first.id) == first)
    },
    Case("mails beyond the limit of an address have records and no notices") { store in
      let storage = store.storage
      for number in 0..<4 {
        let limit = MailLimit(2, of: "ada", at: Sample.time(number), until: Sample.time(100 + number))
        let ceremony = try Sample.email(.signUp, "ada@raxx.app")
        #expect(try await storage.begin(Sample.start(ceremony, limit), spending: nil).value == true)
      }
      #expect(try await storage.recordCount == 4)
      #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 99).count == 2)
      // The period began with the first mail.
      for (seconds, expected) in [(100, 2), (101, 3)] {
        let ceremony = try Sample.email(.signUp, "ada@raxx.app", at: Sample.time(seconds))
        let limit = MailLimit(2, of: "ada", at: Sample.time(seconds), until: Sample.time(seconds + 100))
        _ = try await storage.begin(Sample.start(ceremony, limit), spending: nil)
        #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 99).count == expected)
      }
      let other = try Sample.email(.signUp, "ben@raxx.app")
      let limit = MailLimit(2, of: "ben", at: Sample.start, until: Sample.time(100))
      _ = try await storage.begin(Sample.start(other, limit), spending: nil)
      #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 99).count == 4)
    },
    Case("a repeated mail prolongs its ceremony and counts") { store in
      let storage = store.storage
      let ceremony = try Sample.email(.signUp, "ada@raxx.app")
      let limit = MailLimit(2, of: "ada", at: Sample.start, until: Sample.time(5_000))
      _ = try await storage.begin(Sample.start(ceremony, limit), spending: nil)
      for number in 1...3 {
        let repetition = EmailRepetition(
          ceremony, until: Sample.time(900 + number), limit: limit, mail: [try Sample.mailDraft()])
        #expect(try await storage.repeatMail(repetition))
      }
      #expect(try await storage.emailCeremony(ceremony.id)?.expiry == Sample.time(903))
      #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 99).count == 2)
      let late = MailLimit(9, of: "ada", at: Sample.time(904), until: Sample.time(5_000))
      let repetition = EmailRepetition(ceremony, until: Sample.time(9_000), limit: late, mail: [])
      #expect(try await storage.repeatMail(repetition) == false)
      let unknown = EmailRepetition(try Sample.email(.signUp), until: Sample.time(900), limit: limit, mail: [])
      #expect(try await storage.repeatMail(unknown) == false)
    },
    Case("wrong codes are counted, and the last one deletes the ceremony") { store in
      let storage = store.storage
      let ceremony = try Sample.email(.signUp)
      _ = try await storage.begin(Sample.start(ceremony), spending: nil)
      let records = try await storage.recordCount
      for left in [2, 1, 0] {
        let audit = [try Sample.draft(.emailVerified, address: "192.0.2.1")]
        #expect(
          try await storage.countWrongCode(for: ceremony, atMost: 3, at: Sample.start, audit: audit) == left)
        #expect(try await storage.emailCeremony(ceremony.id)?.failedAttempts == (left == 0 ? nil : 3 - left))
      }
      #expect(try await storage.countWrongCode(for: ceremony, atMost: 3, at: Sample.start, audit: []) == nil)
      #expect(try await storage.recordCount == records + 3)
    },
    Case("a wrong code for an expired ceremony is not counted") { store in
      let storage = store.storage
      let ceremony = try Sample.email(.signUp)
      _ = try await storage.begin(Sample.start(ceremony), spending: nil)
      let late = ceremony.expiry + .seconds(1)
      #expect(try await storage.countWrongCode(for: ceremony, atMost: 3, at: late, audit: []) == nil)
      #expect(try await storage.emailCeremony(ceremony.id) == ceremony)
    },
    Case("concurrent wrong codes share the attempts") { store in
      let ceremony = try Sample.email(.signUp)
      _ = try await store.storage.begin(Sample.start(ceremony), spending: nil)
      let left = try await store.inParallel(20) { (storage, _) in
        try await storage.countWrongCode(for: ceremony, atMost: 5, at: Sample.start, audit: [])
      }
      #expect(left.compactMap(\.self).sorted() == [0, 1, 2, 3, 4])
    },
    Case("expired email ceremonies and counts are swept") { store in
      let storage = store.storage
      let old = try Sample.email(.signUp, "ada@raxx.app")
      let new = try Sample.email(.signUp, "ben@raxx.app", at: Sample.time(500))
      for ceremony in [old, new] {
        let limit = MailLimit(
          1, of: ceremony.email.text, at: ceremony.created, until: ceremony.created + .seconds(1_000))
        _ = try await storage.begin(Sample.start(ceremony, limit), spending: nil)
      }
      #expect(try await storage.sweep(SweepBounds(time: Sample.time(901)), limit: 9) == 1)
      #expect(try await storage.emailCeremony(old.id) == nil)
      #expect(try await storage.emailCeremony(new.id) == new)
      #expect(try await storage.sweep(SweepBounds(time: Sample.time(1_001)), limit: 9) == 1)
      #expect(try await storage.sweep(SweepBounds(time: Sample.time(9_001)), limit: 1) == 2)
    },
  ]
}

extension Sample {
  static func email(
    _ purpose: EmailCeremony.Purpose, _ address: String = "ada@raxx.app", of account: UserHandle? = nil,
    at time: UnixTime = start, until expiry: UnixTime? = nil
  ) throws -> EmailCeremony {
    EmailCeremony(
      id: try identifier(), purpose: purpose, token: try identifier(), account: account,
      email: try EmailAddress(address), created: time, expiry: expiry ?? time + .seconds(900))
  }

  /// A draft with a notice to one destination.
  static func mailDraft(of account: UserHandle? = nil) throws -> AuditDraft {
    var draft = try draft(.emailVerificationRequested, of: account)
    draft.notices = [NoticeDestination(DestinationName(rawValue: "mail"), events: ["*"])].notices(for: draft)
    return draft
  }

  static func start(_ ceremony: EmailCeremony, _ limit: MailLimit? = nil) throws -> EmailCeremonyStart {
    EmailCeremonyStart(ceremony, limit: limit, mail: [try mailDraft(of: ceremony.account)])
  }

  static func start(_ ceremony: EmailCeremony, code: IssuedCode) throws -> EmailCeremonyStart {
    EmailCeremonyStart(ceremony, code: code, limit: nil, mail: [try mailDraft(of: ceremony.account)])
  }
}

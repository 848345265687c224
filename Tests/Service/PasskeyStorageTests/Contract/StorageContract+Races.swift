// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService

extension StorageContract {
  /// Concurrent work on one name, token or ceremony.
  static let races: [Case] = [
    Case("of concurrent recoveries of an address one sends its code, with and without an account") { store in
      let (ada, _) = try await store.storage.registerAccount(Sample.account("ada@raxx.app"))
      for account in [ada.handle, nil] {
        let outcomes = try await store.inParallel(20) { (storage, _) in
          var recovery = try Sample.email(
            .recovery, account == nil ? "nobody@raxx.app" : "ada@raxx.app", of: account)
          recovery.isDecoy = account == nil
          return try await storage.begin(Sample.start(recovery), spending: nil)
        }
        #expect(outcomes.count { $0.value == true } == 1 && outcomes.count { $0.value == false } == 19)
      }
      #expect(try await store.storage.emailCeremonies(of: ada.handle).count == 1)
    },
    Case("concurrent mails to an address share its limit") { store in
      let outcomes = try await store.inParallel(20) { (storage, _) in
        let limit = MailLimit(3, of: "ada", at: Sample.start, until: Sample.time(100))
        return try await storage.begin(Sample.start(Sample.email(.signUp), limit), spending: nil)
      }
      #expect(outcomes.allSatisfy { $0.value == true })
      #expect(try await store.storage.outboxItems(OutboxSelection(), after: 0, limit: 99).count == 3)
    },
    Case("of concurrent registrations and a change of address one gets the address") { store in
      for round in 0..<10 {
        let address = "ada-\(round)@raxx.app"
        let (ben, _) = try await store.storage.registerAccount()
        let change = try Sample.email(.addressChange, address, of: ben.handle)
        _ = try await store.storage.begin(Sample.start(change), spending: nil)
        let got = try await store.inParallel(6) { (storage, number) in
          guard number > 0 else {
            return try await storage.complete(EmailCompletion(change, at: Sample.start, audit: [])).refusal
              != .accountEmailTaken
          }
          return try await storage.register(Registration(of: Sample.account(address)).commit).refusal
            != .signUpEmailTaken
        }
        #expect(got.count { $0 } == 1)
        #expect(try await store.storage.account(email: EmailAddress(address)) != nil)
      }
    },
    Case("of concurrent registrations that complete one sign-up one succeeds, while wrong codes are counted") { store in
      let signUp = try Sample.email(.signUp)
      _ = try await store.storage.begin(Sample.start(signUp), spending: nil)
      let outcomes = try await store.inParallel(30) { (storage, number) -> Result<Account, ServiceError>? in
        guard number % 3 > 0 else {
          _ = try await storage.countWrongCode(for: signUp, atMost: 99, at: Sample.start, audit: [])
          return nil
        }
        var commit = try Registration(of: Sample.account("ada@raxx.app")).commit
        commit.completedEmail = signUp.id
        return try await storage.register(commit)
      }
      #expect(outcomes.count { $0?.refusal == .emailVerificationUnknown } == 19)
      #expect(try await store.storage.account(email: EmailAddress("ada@raxx.app")) != nil)
      #expect(try await store.storage.emailCeremony(signUp.id) == nil)
    },
    Case("a push token that accounts register concurrently belongs to one of them") { store in
      var accounts: [UserHandle] = []
      for _ in 0..<4 { accounts.append(try await store.storage.registerAccount().account.handle) }
      let users = accounts
      let outcomes = try await store.inParallel(24) { (storage, number) in
        let device = Device(
          id: try Sample.identifier(), user: users[number % 4], service: .apns, token: "phone", created: Sample.start)
        return try await storage.register(device, maximumCount: 9, audit: [])
      }
      #expect(outcomes.allSatisfy { $0.refusal == nil })
      var count = 0
      for user in users { count += try await store.storage.devices(of: user).count { $0.revoked == nil } }
      #expect(count == 1)
    },
    Case("concurrent codes for an account leave the newest, and concurrent changes of state one") { store in
      let (ada, _) = try await store.storage.registerAccount(Sample.account("ada@raxx.app", .pending))
      let codes = try (0..<12).map { (_) in try Sample.recoveryCode(of: ada.handle) }
      let outcomes = try await store.inParallel(12) { (storage, number) in
        let change = try await storage.change(
          ada.handle, number % 2 == 0 ? .approve : .reject, at: Sample.start, spending: nil, audit: [])
        _ = try await storage.issue(codes[number], spending: nil, audit: [])
        return change
      }
      #expect(outcomes.contains { $0.refusal == nil })
      var left = 0
      for code in codes where try await store.storage.code(code.digest) != nil { left += 1 }
      #expect(left <= 1)
    },
  ]
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import Testing
import WebAuthnTypes
import WireFormats

extension StorageContract {
  static let names: [Case] = [
    Case("an account is found by each of its names, and a user name in any case") { store in
      let storage = store.storage
      let both = try account("Ada Lovelace", "ada@raxx.app")
      let nameless = try account("Ben", nil)
      for account in [both, nameless] {
        #expect(try await storage.create(account, code: nil, spending: nil, audit: []) == .created)
        #expect(try await storage.account(account.handle) == account)
      }
      #expect(try await storage.account(.username(Username("ADA lovelace"))) == both)
      #expect(try await storage.account(.email(EmailAddress("ada@raxx.app"))) == both)
      #expect(try await storage.account(.username(Username("ben"))) == nameless)
      #expect(try await storage.account(.username(Username("ada@raxx.app"))) == nil)
      #expect(try await storage.candidate(.username(Username("BEN")))?.account == nameless)
      #expect(try await storage.candidate(.username(Username("benn"))) == nil)
    },
    Case("a taken user name is refused before a taken address") { store in
      let storage = store.storage
      _ = try await storage.create(account("ada", "ada@raxx.app"), code: nil, spending: nil, audit: [])
      _ = try await storage.create(account("ben", "ben@raxx.app"), code: nil, spending: nil, audit: [])
      let cases: [(String?, String?, AccountCreationOutcome, RegistrationOutcome)] = [
        ("ADA", nil, .usernameTaken, .usernameTaken), ("cora", "ben@raxx.app", .emailTaken, .emailTaken),
        ("Ada", "ben@raxx.app", .usernameTaken, .usernameTaken), (nil, "ada@raxx.app", .emailTaken, .emailTaken),
      ]
      for (username, email, creation, registration) in cases {
        let account = try account(username, email)
        #expect(try await storage.create(account, code: nil, spending: nil, audit: []) == creation)
        let commit = try RegistrationCommit(
          owner: .newAccount(account), passkey: Sample.passkey(of: account.handle), code: nil, opening: nil,
          maximumPasskeyCount: 9, time: Sample.start, audit: [])
        #expect(try await storage.register(commit) == registration)
        #expect(try await storage.account(account.handle) == nil)
      }
    },
    Case("of concurrent registrations under one user name, one succeeds") { store in
      let outcomes = try await store.inParallel(12) { (storage, number) in
        let account = try account(number.isMultiple(of: 2) ? "ADA" : "ada", "ada-\(number)@raxx.app")
        return try await storage.create(account, code: nil, spending: nil, audit: [])
      }
      #expect(outcomes.filter { $0 == .created }.count == 1)
      #expect(outcomes.filter { $0 == .usernameTaken }.count == 11)
    },
    Case("erasing an account frees its names") { store in
      let storage = store.storage
      let ada = try account("Ada", "ada@raxx.app")
      _ = try await storage.registerAccount(ada)
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []) == .erased)
      let next = try account("ada", "ada@raxx.app")
      #expect(try await storage.create(next, code: nil, spending: nil, audit: []) == .created)
    },
    Case("accounts are listed by state and role") { store in
      let storage = store.storage
      // The bytes of the role "admin" also occur in the encoding of "eadmin".
      let roles: [Set<Role>] = [
        [], [.administrator], [Role(rawValue: "eadmin")], [.administrator, Role(rawValue: "x")],
      ]
      var accounts: [Account] = []
      for number in 0..<40 {
        let state = Account.State.allCases[number / 4 % Account.State.allCases.count]
        let account = try Sample.account(nil, state, roles: roles[number % roles.count])
        _ = try await storage.create(account, code: nil, spending: nil, audit: [])
        accounts.append(account)
      }
      accounts.sort { $0.handle.bytes.lexicographicallyPrecedes($1.handle.bytes) }
      for state in [nil] + Account.State.allCases {
        for role in [nil, Role.administrator, Role(rawValue: "eadmin"), Role(rawValue: "nobody")] {
          let filter = AccountFilter(state: state, role: role)
          var listed: [Account] = []
          while true {
            let page = try await storage.accounts(after: listed.last?.handle, matching: filter, limit: 3)
            listed += page
            // Only the last page is shorter.
            if page.count < 3 { break }
          }
          #expect(listed == accounts.filter(filter.selects))
        }
      }
    },
    Case("a change of several parts is applied whole, at its time") { store in
      let storage = store.storage
      let ada = try Sample.account(nil, .pending)
      _ = try await storage.create(ada, code: nil, spending: nil, audit: [])
      let trader = Role(rawValue: "trader")
      let outcome = try await storage.change(
        ada.handle, .all([.reject, .setRoles([trader])]), at: Sample.time(9), spending: nil, audit: [])
      var expected = ada
      (expected.state, expected.roles, expected.updated) = (.rejected, [trader], Sample.time(9))
      #expect(outcome == .changed(expected))
      #expect(try await storage.account(ada.handle) == expected)
      let refused = try await storage.change(
        ada.handle, .all([.setRoles([]), .enable]), at: Sample.time(10), spending: nil, audit: [])
      #expect(refused == .stateConflict)
      #expect(try await storage.account(ada.handle) == expected)
    },
  ]

  @Sendable private static func account(_ username: String?, _ email: String?) throws -> Account {
    let names = AccountNames(try username.map { try Username($0) }, try email.map { try EmailAddress($0) })
    return Account(
      handle: try UserHandle(Sample.bytes(16)), names: try #require(names), emailVerified: Sample.time(3),
      awaitsVerification: true, state: .active, created: Sample.start, updated: Sample.time(4))
  }
}

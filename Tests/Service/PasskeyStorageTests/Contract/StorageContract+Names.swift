// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

extension StorageContract {
  static let names: [Case] = [
    Case("an account is found by each of its names, and a user name in any case") { store in
      let storage = store.storage
      let both = try account("Ada Lovelace", "ada@raxx.app")
      let nameless = try account("Ben", nil)
      for account in [both, nameless] {
        #expect(try await storage.create(account, code: nil, spending: nil, audit: []).refusal == nil)
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
      let cases: [(String?, String?, ServiceError.Code, ServiceError.Code)] = [
        ("ADA", nil, .accountUsernameTaken, .signUpUsernameTaken),
        ("cora", "ben@raxx.app", .accountEmailTaken, .signUpEmailTaken),
        ("Ada", "ben@raxx.app", .accountUsernameTaken, .signUpUsernameTaken),
        (nil, "ada@raxx.app", .accountEmailTaken, .signUpEmailTaken),
      ]
      for (username, email, creation, registration) in cases {
        let account = try account(username, email)
        #expect(try await storage.create(account, code: nil, spending: nil, audit: []).refusal == creation)
        let commit = try RegistrationCommit(
          owner: .newAccount(account), passkey: Sample.passkey(of: account.handle), code: nil, opening: nil,
          maximumPasskeyCount: 9, time: Sample.start, audit: [])
        #expect(try await storage.register(commit).refusal == registration)
        #expect(try await storage.account(account.handle) == nil)
      }
    },
    Case("of concurrent registrations under one user name, one succeeds") { store in
      let outcomes = try await store.inParallel(12) { (storage, number) in
        let account = try account(number.isMultiple(of: 2) ? "ADA" : "ada", "ada-\(number)@raxx.app")
        return try await storage.create(account, code: nil, spending: nil, audit: [])
      }
      #expect(outcomes.filter { $0.refusal == nil }.count == 1)
      #expect(outcomes.filter { $0.refusal == .accountUsernameTaken }.count == 11)
    },
    Case("erasing an account frees its names") { store in
      let storage = store.storage
      let ada = try account("Ada", "ada@raxx.app")
      _ = try await storage.registerAccount(ada)
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      let next = try account("ada", "ada@raxx.app")
      #expect(try await storage.create(next, code: nil, spending: nil, audit: []).refusal == nil)
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
          let filter = Account.Filter(state: state, role: role)
          var listed: [Account] = []
          while true {
            let page = try await storage.accounts(after: listed.last?.handle, matching: filter, limit: 3)
            listed += page
            // Only the last page is shorter.
            if page.count < 3 { break }
          }
          #expect(listed == accounts.filter(filter.selects))
          #expect(try await storage.accountCount(matching: filter) == listed.count)
        }
      }
    },
    Case("accounts are listed by name or the newest first, each once, with a state and a role") { store in
      let storage = store.storage
      var accounts: [Account] = []
      for number in 0..<30 {
        let username = number % 3 > 0 ? "User\(number * 7 % 30)" : nil
        let email = number % 3 < 2 ? "\(number * 11 % 30)@raxx.app" : nil
        var account = try account(username, email)
        // Several accounts of one second.
        account.created = Sample.time(number / 4)
        account.state = number.isMultiple(of: 2) ? .active : .pending
        account.roles = number.isMultiple(of: 5) ? [Role(rawValue: "trader")] : []
        _ = try await storage.create(account, code: nil, spending: nil, audit: [])
        accounts.append(account)
      }
      let byName = accounts.sorted { (one, other) in
        switch (one.email?.text, other.email?.text) {
        case (let first?, let second?): first < second
        case (.some, nil): true
        case (nil, .some): false
        case (nil, nil): (one.username?.key ?? "") < (other.username?.key ?? "")
        }
      }
      let newest = accounts.sorted { (one, other) in
        one.created == other.created
          ? other.handle.bytes.lexicographicallyPrecedes(one.handle.bytes) : one.created > other.created
      }
      for (order, sorted) in [(Account.Filter.Order.name, byName), (.newest, newest)] {
        for (state, role) in [(nil, nil), (Account.State.pending, nil), (.active, Role(rawValue: "trader"))] {
          let filter = Account.Filter(state: state, role: role, order: order)
          for limit in [1, 4, 100] {
            var listed: [Account] = []
            while true {
              let page = try await storage.accounts(after: listed.last?.handle, matching: filter, limit: limit)
              listed += page
              if page.count < limit { break }
            }
            #expect(listed == sorted.filter(filter.selects), "\(order) \(limit)")
          }
          #expect(try await storage.accountCount(matching: filter) == sorted.count(where: filter.selects))
        }
      }
      // A search counts what it finds, an account with two such names once.
      let both = try account("1both", "1both@raxx.app")
      _ = try await storage.create(both, code: nil, spending: nil, audit: [])
      let search = Account.Filter(prefix: Account.NamePrefix("1"))
      let found = try await storage.accounts(after: nil, matching: search, limit: 100)
      #expect(try await storage.accountCount(matching: search) == found.count && found.contains(both))
    },
    Case("several accounts are approved together, and only those that await it") { store in
      let storage = store.storage
      let states: [Account.State] = [.pending, .active, .disabled, .pending, .rejected]
      var accounts: [Account] = []
      for state in states {
        let account = try Sample.account(nil, state)
        _ = try await storage.create(account, code: nil, spending: nil, audit: [])
        accounts.append(account)
      }
      let (_, passkey) = try await storage.registerAccount(Sample.account(roles: [.administrator]))
      let opening = try await storage.open(passkey)
      var grant = GrantSpending(try await storage.grant(passkey, opening))
      grant.requiresAdministrator = true
      let (count, spending) = (try await storage.recordCount, grant)
      var approvals: [(handle: UserHandle, audit: [AuditDraft])] = []
      for account in accounts {
        approvals.append((account.handle, [try Sample.draft(.accountApproved, of: account.handle)]))
      }
      approvals.append((try Sample.account().handle, [try Sample.draft(.accountApproved)]))
      let chosen = approvals
      func approve() async throws -> Result<[Account], ServiceError> {
        try await storage.approve(
          chosen, at: Sample.start, spending: spending, audit: [Sample.draft(.stepUpSpent, of: passkey.user)])
      }
      guard case .success(let approved) = try await approve() else {
        Issue.record("refused")
        return
      }
      #expect(approved.map(\.handle) == [accounts[0].handle, accounts[3].handle])
      #expect(approved.allSatisfy { $0.state == .active && $0.updated == Sample.start })
      for (account, state) in zip(accounts, [Account.State.active, .active, .disabled, .active, .rejected]) {
        #expect(try await storage.account(account.handle)?.state == state)
      }
      #expect(try await storage.recordCount == count + 3)
      #expect(try await approve().refusal == .stepUpGrantRefused)
      #expect(try await storage.recordCount == count + 3)
    },
    Case("accounts are found by the beginning of a name, in the order of the names, each once") { store in
      let storage = store.storage
      // Wildcards of SQL are ordinary characters of names. Of two accounts, both names begin alike.
      let names: [(String?, String?)] = [
        ("Ada", "ada@raxx.app"), ("ada%", nil), ("adA_b", nil), ("adaxb", nil), ("ADAM", "eve@raxx.app"),
        ("Grace", "ada.grace@raxx.app"), (nil, "adb@raxx.app"), ("ÄDA Ö", nil), ("änne", nil), (nil, "a%da@raxx.app"),
        ("Zoe", "zoe@raxx.app"), ("zo🔑", nil), (nil, "ada@example.org"),
      ]
      for (username, email) in names {
        _ = try await storage.create(account(username, email), code: nil, spending: nil, audit: [])
      }
      func found(_ text: String, limit: Int = 100) async throws -> [String] {
        let filter = Account.Filter(prefix: Account.NamePrefix(text))
        var all: [Account] = []
        while true {
          let page = try await storage.accounts(after: all.last?.handle, matching: filter, limit: limit)
          #expect(page.allSatisfy(filter.selects))
          all += page
          guard page.count == limit else { return all.map { $0.email?.text ?? $0.name } }
        }
      }
      let adas = ["ada.grace@raxx.app", "ada@example.org", "ada@raxx.app", "ada%", "adA_b", "eve@raxx.app", "adaxb"]
      for limit in [1, 2, 3, 100] {
        #expect(try await found(" ADA ", limit: limit) == adas)
        #expect(try await found("a", limit: limit).count == 9)
      }
      #expect(try await found("ada%") == ["ada%"])
      #expect(try await found("ada_") == ["adA_b"])
      #expect(try await found("a%") == ["a%da@raxx.app"])
      #expect(try await found("%").isEmpty)
      #expect(try await found("_").isEmpty)
      #expect(try await found("äda ö") == ["ÄDA Ö"])
      #expect(try await found("A\u{308}") == ["ÄDA Ö", "änne"])
      #expect(try await found("zo") == ["zoe@raxx.app", "zo🔑"])
      #expect(try await found("ada@raxx.app") == ["ada@raxx.app"])
      #expect(try await found("ada\u{0}").isEmpty)
      #expect(try await found(String(repeating: "a", count: 300)).isEmpty)
      // With a state, and after an account that is gone: from the beginning, so that none is left out.
      let pending = try Sample.account("adaz@raxx.app", .pending)
      _ = try await storage.create(pending, code: nil, spending: nil, audit: [])
      let prefix = Account.NamePrefix("ada")
      for limit in [1, 5] {
        let filter = Account.Filter(state: .pending, prefix: prefix)
        #expect(try await storage.accounts(after: nil, matching: filter, limit: limit) == [pending])
      }
      let filter = Account.Filter(prefix: prefix)
      let again = try await storage.accounts(after: Sample.account().handle, matching: filter, limit: 1)
      #expect(again.map(\.email?.text) == ["ada.grace@raxx.app"])
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
      #expect(outcome.value == expected)
      #expect(try await storage.account(ada.handle) == expected)
      let refused = try await storage.change(
        ada.handle, .all([.setRoles([]), .enable]), at: Sample.time(10), spending: nil, audit: [])
      #expect(refused.refusal == .accountStateConflict)
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

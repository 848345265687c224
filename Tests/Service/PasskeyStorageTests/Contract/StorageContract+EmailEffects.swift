// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import Testing
import WebAuthnTypes

/// Email ceremonies: the effects of their codes.
extension StorageContract {
  static let emailEffects: [Case] = [
    Case("a verification marks the address and ends the account's other verifications") { store in
      let storage = store.storage
      var account = try Sample.account("ada@raxx.app")
      account.awaitsVerification = true
      let (ada, _) = try await storage.registerAccount(account)
      let ceremonies = try (0..<2).map { _ in try Sample.email(.verification, of: ada.handle) }
      let recovery = try Sample.email(.recovery, of: ada.handle)
      for ceremony in ceremonies + [recovery] { _ = try await storage.begin(Sample.start(ceremony), spending: nil) }
      let completion = EmailCompletion(
        ceremonies[0], at: Sample.time(7), audit: [try Sample.draft(.emailVerified, of: ada.handle)])
      var verified = ada
      (verified.emailVerified, verified.updated, verified.awaitsVerification) = (Sample.time(7), Sample.time(7), false)
      #expect(try await storage.complete(completion).value == verified)
      #expect(try await storage.account(ada.handle) == verified)
      for ceremony in ceremonies { #expect(try await storage.emailCeremony(ceremony.id) == nil) }
      #expect(try await storage.emailCeremony(recovery.id) == recovery)
      #expect(try await storage.complete(completion).refusal == .emailVerificationUnknown)
      #expect(try await storage.recordCount == 4)
    },
    Case("of concurrent completions one succeeds") { store in
      let (ada, _) = try await store.storage.registerAccount(Sample.account("ada@raxx.app"))
      let ceremony = try Sample.email(.verification, of: ada.handle)
      _ = try await store.storage.begin(Sample.start(ceremony), spending: nil)
      let outcomes = try await store.inParallel(20) { (storage, _) in
        try await storage.complete(EmailCompletion(ceremony, at: Sample.start, audit: []))
      }
      #expect(outcomes.count { $0.refusal == .emailVerificationUnknown } == 19)
    },
    Case("of concurrent completions that issue a code one stores it") { store in
      let ceremony = try Sample.email(.newAddress)
      _ = try await store.storage.begin(Sample.start(ceremony), spending: nil)
      let codes = try (0..<10).map { _ in
        IssuedCode(
          digest: try Sample.identifier(), purpose: .signUp, email: ceremony.email, created: Sample.start,
          expiry: ceremony.expiry)
      }
      let outcomes = try await store.inParallel(10) { (storage, place) in
        try await storage.complete(ceremony, issuing: codes[place], at: Sample.start, audit: [])
      }
      #expect(outcomes.count { $0 } == 1)
      var stored: [IssuedCode] = []
      for code in codes { stored += try await [store.storage.code(code.digest)].compactMap(\.self) }
      #expect(stored.count == 1 && stored.allSatisfy(codes.contains))
      #expect(try await store.storage.emailCeremony(ceremony.id) == nil)
      let late = try Sample.email(.newAddress)
      _ = try await store.storage.begin(Sample.start(late), spending: nil)
      #expect(
        try await !store.storage.complete(late, issuing: codes[0], at: late.expiry + .seconds(1), audit: []))
    },
    Case("a verification of an expired ceremony or another address fails") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      let late = try Sample.email(.verification, of: ada.handle)
      let other = try Sample.email(.verification, "old@raxx.app", of: ada.handle)
      for ceremony in [late, other] { _ = try await storage.begin(Sample.start(ceremony), spending: nil) }
      let completions = [
        EmailCompletion(late, at: late.expiry + .seconds(1), audit: []),
        EmailCompletion(other, at: Sample.start, audit: []),
      ]
      for completion in completions {
        #expect(try await storage.complete(completion).refusal == .emailVerificationUnknown)
      }
      #expect(try await storage.account(ada.handle) == ada)
    },
    Case("a change replaces the address, and keeps the old one for its mail") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      let change = try Sample.email(.addressChange, "ada@new.example", of: ada.handle)
      let recovery = try Sample.email(.recovery, of: ada.handle)
      let mailed = try Sample.recoveryCode(of: ada.handle, notBefore: Sample.time(5))
      let issued = try Sample.recoveryCode(of: ada.handle)
      _ = try await storage.issue(issued, spending: nil, audit: [])
      _ = try await storage.begin(Sample.start(recovery, code: mailed), spending: nil)
      _ = try await storage.begin(Sample.start(change), spending: nil)
      var farewell = try Sample.email(.replacedAddress, "ada@new.example", of: ada.handle)
      let completion = EmailCompletion(change, farewell: farewell, at: Sample.time(7), audit: [])
      guard case .success(let changed) = try await storage.complete(completion) else {
        throw UnexpectedOutcome("not completed")
      }
      #expect(changed.email?.text == "ada@new.example" && changed.emailVerified == Sample.time(7))
      #expect(try await storage.account(email: EmailAddress("ada@new.example")) == changed)
      #expect(try await storage.account(email: EmailAddress("ada@raxx.app")) == nil)
      farewell.email = try EmailAddress("ada@raxx.app")
      #expect(try await storage.emailCeremony(farewell.id) == farewell)
      for ceremony in [change, recovery] { #expect(try await storage.emailCeremony(ceremony.id) == nil) }
      #expect(try await storage.code(mailed.digest) == nil)
      #expect(try await storage.code(issued.digest) == issued)
    },
    Case("a change to an address that is taken by then changes nothing") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      let change = try Sample.email(.addressChange, "ben@raxx.app", of: ada.handle)
      _ = try await storage.begin(Sample.start(change), spending: nil)
      _ = try await storage.registerAccount(Sample.account("ben@raxx.app"))
      let completion = EmailCompletion(change, at: Sample.start, audit: [try Sample.draft()])
      #expect(try await storage.complete(completion).refusal == .accountEmailTaken)
      #expect(try await storage.account(ada.handle) == ada)
      #expect(try await storage.recordCount == 1)
    },
    Case("a later change of address replaces an earlier one of the account") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let first = try Sample.email(.addressChange, "a@new.example", of: ada.handle)
      let others = try Sample.email(.addressChange, "b@new.example", of: ben.handle)
      let second = try Sample.email(.addressChange, "c@new.example", of: ada.handle)
      for ceremony in [first, others, second] { _ = try await storage.begin(Sample.start(ceremony), spending: nil) }
      #expect(try await storage.emailCeremony(first.id) == nil)
      #expect(try await storage.emailCeremony(others.id) == others)
      #expect(try await storage.emailCeremony(second.id) == second)
    },
    Case("a recovery stores its code once, besides an administrator's") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      let issued = try Sample.recoveryCode(of: ada.handle)
      _ = try await storage.issue(issued, spending: nil, audit: [])
      let code = try Sample.recoveryCode(of: ada.handle, notBefore: Sample.time(5))
      let recovery = try Sample.email(.recovery, of: ada.handle)
      #expect(try await storage.begin(Sample.start(recovery, code: code), spending: nil).value == true)
      let again = try Sample.recoveryCode(of: ada.handle, notBefore: Sample.time(6))
      let second = try Sample.email(.recovery, of: ada.handle, at: Sample.time(900))
      #expect(try await storage.begin(Sample.start(second, code: again), spending: nil).value == false)
      #expect(try await storage.code(again.digest) == nil)
      #expect(try await storage.emailCeremony(second.id) == nil)
      for stored in [issued, code] { #expect(try await storage.code(stored.digest) == stored) }
      #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9).count == 1)
      let third = try Sample.email(.recovery, of: ada.handle, at: Sample.time(901))
      #expect(try await storage.begin(Sample.start(third, code: again), spending: nil).value == true)
    },
    Case("a decoy suppresses no recovery of an account, and an account's recovery suppresses both") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      var decoy = try Sample.email(.recovery)
      (decoy.account, decoy.isDecoy) = (nil, true)
      var again = try Sample.email(.recovery)
      (again.account, again.isDecoy) = (nil, true)
      #expect(try await storage.begin(Sample.start(decoy), spending: nil).value == true)
      #expect(try await storage.begin(Sample.start(again), spending: nil).value == false)
      let recovery = try Sample.email(.recovery, of: ada.handle)
      #expect(try await storage.begin(Sample.start(recovery), spending: nil).value == true)
      for late in [again, try Sample.email(.recovery, of: ada.handle)] {
        #expect(try await storage.begin(Sample.start(late), spending: nil).value == false)
      }
    },
    Case("a recovery code is valid from its time") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let code = try Sample.recoveryCode(of: ada.handle, notBefore: Sample.time(5))
      let recovery = try Sample.email(.recovery, of: ada.handle)
      _ = try await storage.begin(Sample.start(recovery, code: code), spending: nil)
      let commit = { (seconds: Int) in
        RegistrationCommit(
          owner: .account(ada.handle, session: nil), passkey: try Sample.passkey(of: ada.handle), code: code.digest,
          opening: nil, maximumPasskeyCount: 9, time: Sample.time(seconds), audit: [])
      }
      #expect(try await storage.register(commit(4)).refusal == .signUpCodeRefused)
      #expect(try await storage.emailCeremony(recovery.id) == recovery)
      #expect(try await storage.register(commit(5)).value == ada)
      #expect(try await storage.emailCeremony(recovery.id) == nil)
      #expect(try await storage.code(code.digest) == nil)
    },
    Case("cancelling a recovery deletes its code and no administrator's") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let issued = try Sample.recoveryCode(of: ada.handle)
      _ = try await storage.issue(issued, spending: nil, audit: [])
      let code = try Sample.recoveryCode(of: ada.handle, notBefore: Sample.time(5))
      let recovery = try Sample.email(.recovery, of: ada.handle)
      _ = try await storage.begin(Sample.start(recovery, code: code), spending: nil)
      let audit = [try Sample.draft(.recoveryCancelled, of: ada.handle)]
      #expect(try await storage.cancelRecovery(of: ada.handle, at: Sample.time(901), audit: audit) == false)
      #expect(try await storage.cancelRecovery(of: ada.handle, at: Sample.time(900), audit: audit))
      #expect(try await storage.cancelRecovery(of: ada.handle, at: Sample.time(900), audit: audit) == false)
      #expect(try await storage.code(code.digest) == nil)
      #expect(try await storage.code(issued.digest) == issued)
      #expect(try await storage.emailCeremony(recovery.id) == nil)
      #expect(try await storage.recordCount == 2)
    },
    Case("a sign-up is completed once, with its account") { store in
      let ada = try Sample.account("ada@raxx.app")
      let ceremony = try Sample.email(.signUp)
      _ = try await store.storage.begin(Sample.start(ceremony), spending: nil)
      let outcomes = try await store.inParallel(12) { (storage, _) in
        var commit = RegistrationCommit(
          owner: .newAccount(ada), passkey: try Sample.passkey(of: ada.handle), code: nil, opening: nil,
          maximumPasskeyCount: 1, time: Sample.start, audit: [])
        commit.completedEmail = ceremony.id
        return try await storage.register(commit)
      }
      #expect(outcomes.count { $0.value == ada } == 1)
      #expect(outcomes.count { $0.refusal == .emailVerificationUnknown } == 11)
      #expect(try await store.storage.passkeys(of: ada.handle).count == 1)
      #expect(try await store.storage.emailCeremony(ceremony.id) == nil)
    },
    Case("a sign-up of an expired ceremony creates no account") { store in
      let storage = store.storage
      let ada = try Sample.account("ada@raxx.app")
      let ceremony = try Sample.email(.signUp)
      _ = try await storage.begin(Sample.start(ceremony), spending: nil)
      var commit = RegistrationCommit(
        owner: .newAccount(ada), passkey: try Sample.passkey(of: ada.handle), code: nil, opening: nil,
        maximumPasskeyCount: 1, time: Sample.time(901), audit: [])
      commit.completedEmail = ceremony.id
      #expect(try await storage.register(commit).refusal == .emailVerificationUnknown)
      #expect(try await storage.account(ada.handle) == nil)
    },
    Case("a registration stores its verification, or a decoy if the address is taken") { store in
      let storage = store.storage
      for isTaken in [false, true] {
        let ada = try Sample.account("ada@raxx.app")
        var commit = RegistrationCommit(
          owner: .newAccount(ada), passkey: try Sample.passkey(of: ada.handle), code: nil, opening: nil,
          maximumPasskeyCount: 1, time: Sample.start, audit: [])
        let verification = try Sample.email(.verification, of: ada.handle)
        var decoy = try Sample.email(.verification)
        decoy.isDecoy = true
        commit.verification = try Sample.start(verification)
        commit.verificationIfTaken = try Sample.start(decoy)
        #expect(try await storage.register(commit).refusal == (isTaken ? .signUpEmailTaken : nil))
        #expect(try await storage.emailCeremony(verification.id) == (isTaken ? nil : verification))
        #expect(try await storage.emailCeremony(decoy.id) == (isTaken ? decoy : nil))
      }
      #expect(try await storage.outboxItems(OutboxSelection(), after: 0, limit: 9).count == 2)
    },
    Case("erasing an account deletes the email ceremonies of the account and its address") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount(Sample.account("ada@raxx.app"))
      let limit = MailLimit(1, of: "a key", at: Sample.start, until: Sample.time(9_000))
      let own = [
        try Sample.email(.addressChange, "new@raxx.app", of: ada.handle), try Sample.email(.signUp),
        try Sample.email(.replacedAddress, "old@raxx.app", of: ada.handle), try Sample.email(.recovery, of: ada.handle),
      ]
      let other = try Sample.email(.signUp, "ben@raxx.app")
      for ceremony in own + [other] { _ = try await storage.begin(Sample.start(ceremony, limit), spending: nil) }
      #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
      for ceremony in own { #expect(try await storage.emailCeremony(ceremony.id) == nil) }
      #expect(try await storage.emailCeremony(other.id) == other)
    },
    Case("disabling an account deletes its email ceremonies") { store in
      let storage = store.storage
      let (ada, _) = try await storage.registerAccount()
      let (ben, _) = try await storage.registerAccount()
      let ceremonies = [
        try Sample.email(.verification, of: ada.handle), try Sample.email(.verification, of: ben.handle),
      ]
      for ceremony in ceremonies { _ = try await storage.begin(Sample.start(ceremony), spending: nil) }
      _ = try await storage.change(ada.handle, .disable, at: Sample.start, spending: nil, audit: [])
      #expect(try await storage.emailCeremony(ceremonies[0].id) == nil)
      #expect(try await storage.emailCeremony(ceremonies[1].id) == ceremonies[1])
    },
    Case("accounts that await a verification are no model for decoys") { store in
      let storage = store.storage
      var waiting = try Sample.account()
      waiting.awaitsVerification = true
      _ = try await storage.registerAccount(waiting)
      let (_, passkey) = try await storage.registerAccount()
      #expect(try await storage.credentialLists(limit: 9).flatMap(\.self).map(\.id) == [passkey.record.id])
    },
  ]
}

extension Sample {
  static func recoveryCode(of account: UserHandle, notBefore: UnixTime? = nil) throws -> IssuedCode {
    IssuedCode(
      digest: try identifier(), purpose: .recovery, account: account, created: start, notBefore: notBefore,
      expiry: time(9_000))
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct ReceiptTests {
  @Test func `a receipt says what was confirmed, by which account and when`() async throws {
    let receipts = try await ReceiptWorld()
    let file = try await receipts.receipt()
    let verified = try ActionReceipt(parsing: file[...]).verify(by: receipts.policy)
    #expect(verified.receipt.action == ReceiptWorld.order && verified.receipt.body == nil)
    #expect(verified.origin == "https://raxx.app")
    #expect(verified.record.account == receipts.session.account.handle)
    #expect(verified.record.time == ServiceWorld.start + .seconds(1))
    #expect(verified.record.details["attestation"] == "none")
    let passkeys = try await receipts.world.service.passkeys(of: receipts.session)
    #expect(verified.receipt.assertion.publicKey.elementsEqual(try #require(passkeys.first).record.publicKey))
  }

  @Test func `a receipt has at most 2 kB in a log of a thousand records`() async throws {
    let receipts = try await ReceiptWorld()
    try await receipts.world.memory.append((0..<1_000).map { _ in try Sample.draft() })
    let file = try await receipts.receipt()
    #expect(file.count <= 2_048)
    #expect(receipts.error(of: file) == nil)
  }

  @Test func `the service keeps no receipt, and one stays valid after the erasure of its account`() async throws {
    let receipts = try await ReceiptWorld()
    let service = receipts.world.service
    let file = try await receipts.receipt()
    let receipt = try ActionReceipt(parsing: file[...])
    let export = try await service.exportData(receipts.session.account, in: receipts.world.at(2)).json
    #expect(!String(decoding: export, as: UTF8.self).contains(Base64URL.encode(receipt.assertion.signature)))
    let erasure = ProtectedAction(method: "DELETE", path: "/api/account", body: [])
    let confirmation = PresentedConfirmation(of: erasure, grant: try await receipts.confirm(erasure).token)
    try await service.erase(receipts.session, confirmation: confirmation, in: receipts.world.at(2))
    #expect(receipts.error(of: file) == nil)
  }

  @Test func `a receipt waits for a checkpoint`() async throws {
    let receipts = try await ReceiptWorld()
    let service = receipts.world.service
    let granted = try await receipts.confirm()
    #expect(try await service.receipt(for: granted, of: ReceiptWorld.order) == nil)
    async let waiting = service.receipt(for: granted, of: ReceiptWorld.order, waitingAtMost: .seconds(600))
    try await receipts.sign()
    #expect(receipts.error(of: try #require(try await waiting)) == nil)
  }

  @Test func `there is no receipt for another action, nor without an assertion`() async throws {
    let receipts = try await ReceiptWorld()
    let service = receipts.world.service
    let granted = try await receipts.confirm()
    try await receipts.sign()
    let other = ProtectedAction(method: "POST", path: "/api/orders", body: [])
    await expect(.stepUpActionInvalid) { _ = try await service.receipt(for: granted, of: other) }
    let weak = try await service.grantWithoutNewAssertion(for: other, by: receipts.session, in: receipts.world.at())
    try await receipts.sign()
    #expect(try await service.receipt(for: weak, of: other) == nil)
  }

  @Test func `a verifier pins the RP ID, the log, the key and the action`() async throws {
    let receipts = try await ReceiptWorld()
    let file = try await receipts.receipt()
    let key = try ActionReceipt(parsing: file[...]).assertion.publicKey
    var policy = receipts.policy
    policy.publicKeys = [[1], key]
    policy.action = ReceiptWorld.order
    #expect(receipts.error(of: file, policy) == nil)
    policy.publicKeys = [[1]]
    #expect(receipts.error(of: file, policy) == .keyMismatch)
    policy = receipts.policy
    for other in [
      ProtectedAction(method: "PUT", path: "/api/orders?now", body: Array(#"{"amount":10}"#.utf8)),
      ProtectedAction(method: "POST", path: "/api/orders", body: Array(#"{"amount":10}"#.utf8)),
      ProtectedAction(method: "POST", path: "/api/orders?now", body: Array(#"{"amount":11}"#.utf8)),
    ] {
      policy.action = other
      #expect(receipts.error(of: file, policy) == .actionMismatch)
    }
    policy = receipts.policy
    policy.relyingPartyID = "raxx.example"
    #expect(receipts.error(of: file, policy) == .relyingPartyMismatch)
    policy = receipts.policy
    policy.log = LogPolicy(logs: [try ForgedReceipt().file().key])
    #expect(receipts.error(of: file, policy) == .logRefused)
    policy.log = LogPolicy(logs: [receipts.key], quorum: .witness(receipts.key))
    #expect(receipts.error(of: file, policy) == .logRefused)
  }

  @Test func `each step refuses what it looks at, whatever the server signs`() throws {
    let other = ProtectedAction(method: "GET", path: "/", body: [])
    let cases: [(ReceiptError.Code?, (inout ForgedReceipt) -> Void)] = [
      (nil, { _ in }),
      (.challengeMismatch, { $0.signedAction = other }),
      (.clientDataInvalid, { $0.type = .payment }),
      (.relyingPartyMismatch, { $0.dataFor = "raxx.example" }),
      (.userNotVerified, { $0.flags = [.userPresent] }),
      (.userNotVerified, { $0.flags = [.userVerified] }),
      (.keyInvalid, { $0.publicKey = [0xa0] }),
      (.recordMismatch, { $0.event = .stepUpSpent }),
      (.recordMismatch, { $0.outcome = "step-up.refused" }),
      (.recordMismatch, { $0.recordedAction = other }),
      (.recordMismatch, { $0.recordedAssertion = [UInt8](repeating: 0, count: 32) }),
      (.logRefused, { $0.origin = "raxx.example/audit/forged/1" }),
      (.malformed, { $0.relyingPartyID = "räxx.app" }),
    ]
    for (code, change) in cases {
      var forged = ForgedReceipt()
      change(&forged)
      do {
        #expect(try forged.verify() == code)
      } catch let error as ReceiptError {
        #expect(error.code == code)
      }
    }
    let signer = try SigningKey.generate(.es256, random: .system).publicKey.encoded
    var forged = ForgedReceipt()
    forged.publicKey = signer[...]
    #expect(try forged.verify() == .signatureInvalid)
  }

  @Test func `the body takes the place of its hash, and a later proof that of an earlier one`() async throws {
    let receipts = try await ReceiptWorld()
    let receipt = try ActionReceipt(parsing: try await receipts.receipt()[...])
    let readable = try receipt.disclosing(Array(#"{"amount":10}"#.utf8))
    #expect(try ActionReceipt(parsing: readable.encoded[...]) == readable && readable.body != nil)
    #expect(receipts.error(of: readable.encoded) == nil)
    #expect(throws: ReceiptError(.actionMismatch, "the body is not that of the action")) {
      try receipt.disclosing([])
    }
    let second = try ActionReceipt(parsing: try await receipts.receipt()[...])
    let entries = try await receipts.world.service.auditEntries(limit: 99)
    let number = try #require(entries.first { $0.record.encoded.elementsEqual(receipt.record) }).record.sequence
    let proof = try await receipts.world.service.auditProof(of: .number(number))
    let later = try receipt.proven(by: proof)
    #expect(later.checkpoint == second.checkpoint && later != receipt)
    #expect(receipts.error(of: later.encoded) == nil)
    #expect(throws: ReceiptError(.recordMismatch, "the proof is of another record")) { try second.proven(by: proof) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCommandLine
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyLogTestSupport
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import passkey_server

/// The tasks that send checkpoints to witnesses over HTTP.
struct RunningWitnessesTests {
  private let storage: SQLiteStorage
  private let service: AuthService
  private let context = CallContext(time: UnixTime(secondsSince1970: 1_800_000_000), requestID: "r")

  init() throws {
    storage = try SQLiteStorage.temporary()
    let id = try RelyingPartyID("raxx.app")
    service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
  }

  /// Adds a record and returns the checkpoint.
  private func grow() async throws -> SignedNote {
    _ = try await service.invite(nil, by: .console, in: context)
    return try #require(try await service.auditSequencer().sequence(at: context.time)).note
  }

  /// Waits until the newest checkpoint has so many signatures.
  private func waits(forSignatures count: Int) async throws {
    #expect(
      try await HangGuard.waits {
        try await SignedNote(parsing: #require(service.auditLog()).checkpoint.note).signatures.count >= count
      })
  }

  @Test func `each witness cosigns, and one that does not answer delays no other`() async throws {
    let log = try await service.beginAuditLog(in: context)
    let gate = AnswerGate()
    let hangs = try LocalWitness(log, "w.example/hangs") { (_) in
      await gate.waits()
      return EndpointResponse(.internalServerError)
    }
    let (one, other) = (try LocalWitness(log, "w.example/1"), try LocalWitness(log, "w.example/2"))
    let witnesses = RunningWitnesses([hangs.setting, one.setting, other.setting], storage, interval: .milliseconds(1))
    for _ in 0..<3 {
      witnesses.submit(try await grow())
      try await waits(forSignatures: 3)
    }
    try await hangs.waits(for: 1)
    #expect(!witnesses.haveContradicted)
    // The running request is cancelled.
    await witnesses.stop()
    gate.open()
    for witness in [one, other, hangs] { await witness.stop() }
  }

  @Test func `a witness that is down gets the newest checkpoint when it is back`() async throws {
    let log = try await service.beginAuditLog(in: context)
    let witness = try LocalWitness(log, "w.example/1") { (number) in
      switch number {
      case 1: EndpointResponse(EndpointStatus(rawValue: 503))
      case 2: EndpointResponse(.ok, contentType: "text/html", body: Array("<html>".utf8))
      case 3: EndpointResponse(.ok, contentType: "text/plain", body: [UInt8](repeating: 0x61, count: 1 << 20))
      default: nil
      }
    }
    let witnesses = RunningWitnesses([witness.setting], storage, interval: .milliseconds(1))
    witnesses.submit(try await grow())
    try await witness.waits(for: 1)
    witnesses.submit(try await grow())
    try await witness.waits(for: 4)
    try await waits(forSignatures: 2)
    await witnesses.stop()
    await witness.stop()
  }

  @Test func `checkpoints within the interval are left out, but not the last one`() async throws {
    let log = try await service.beginAuditLog(in: context)
    let witness = try LocalWitness(log, "w.example/1")
    let witnesses = RunningWitnesses([witness.setting], storage, interval: .seconds(600))
    witnesses.submit(try await grow())
    try await waits(forSignatures: 2)
    for _ in 0..<20 { witnesses.submit(try await grow()) }
    // The next one would follow after ten minutes.
    #expect(witness.requestCount == 1)
    await witnesses.stop()
    let others = RunningWitnesses([witness.setting], storage, interval: .seconds(600))
    others.submit(try await grow())
    try await waits(forSignatures: 2)
    #expect(witness.requestCount == 2)
    await others.stop()
    await witness.stop()
  }

  private static let conflict = EndpointResponse(
    .conflict, contentType: "text/x.tlog.size", body: Array("99\n".utf8))

  @Test func `each log that a witness contradicts must not grow`() async throws {
    let log = try await service.beginAuditLog(in: context)
    let one = try LocalWitness(log, "w.example/1") { (_) in Self.conflict }
    let other = try LocalWitness(log, "w.example/2") { (number) in number == 1 ? nil : Self.conflict }
    let witnesses = RunningWitnesses([one.setting, other.setting], storage, interval: .milliseconds(1))
    #expect(!witnesses.haveContradicted)
    witnesses.submit(try await grow())
    #expect(await HangGuard.waits { () async -> Bool in witnesses.contradicts(log.origin) && other.requestCount == 1 })
    #expect(witnesses.haveContradicted)
    await one.stop()
    let next = try await service.beginAuditLog(in: context)
    #expect(!witnesses.contradicts(next.origin))
    witnesses.submit(try await grow())
    #expect(await HangGuard.waits { () async -> Bool in witnesses.contradicts(next.origin) })
    await witnesses.stop()
    await other.stop()
  }

  @Test func `a witness that contradicted the log is asked again, and then the log grows`() async throws {
    let log = try await service.beginAuditLog(in: context)
    let gate = AnswerGate()
    let witness = try LocalWitness(log, "w.example/1") { (number) in
      if number > 1 { await gate.waits() }
      return number == 1 ? Self.conflict : nil
    }
    let witnesses = RunningWitnesses([witness.setting], storage, interval: .milliseconds(1))
    witnesses.submit(try await grow())
    try await witness.waits(for: 2)
    #expect(witnesses.contradicts(log.origin))
    gate.open()
    #expect(await HangGuard.waits { () async -> Bool in !witnesses.haveContradicted })
    // Neither does the store keep the contradiction.
    _ = try await grow()
    await witnesses.stop()
    await witness.stop()
  }

  @Test func `a contradiction that another server's checkpoint has withdrawn ends here too`() async throws {
    let log = try await service.beginAuditLog(in: context)
    // The other server's pass is the last one before the contradiction.
    let (early, late) = (try await grow(), try await grow())
    let gate = AnswerGate()
    let witness = try LocalWitness(log, "w.example/1") { (number) in
      // Holds the second question back until the other server has its cosignature.
      if number == 2 { await gate.waits() }
      return number == 1 ? Self.conflict : nil
    }
    let witnesses = RunningWitnesses([witness.setting], storage, interval: .milliseconds(1))
    witnesses.submit(early)
    try await witness.waits(for: 2)
    #expect(witnesses.contradicts(log.origin))
    let other = RunningWitnesses([witness.setting], storage, interval: .milliseconds(1))
    other.submit(late)
    try await waits(forSignatures: 2)
    gate.open()
    #expect(await HangGuard.waits { () async -> Bool in !witnesses.haveContradicted })
    for lines in [witnesses, other] { await lines.stop() }
    await witness.stop()
  }

  @Test func `the first answers are awaited, but not longer than their time`() async throws {
    let log = try await service.beginAuditLog(in: context)
    let gate = AnswerGate()
    let slow = try LocalWitness(log, "w.example/slow") { (_) in
      await gate.waits()
      return EndpointResponse(.internalServerError)
    }
    let quick = try LocalWitness(log, "w.example/1")
    let settings = [slow.setting, quick.setting]
    let patient = RunningWitnesses(settings, storage, interval: .milliseconds(1), patience: .seconds(86_400))
    let impatient = RunningWitnesses(settings, storage, interval: .milliseconds(1), patience: .zero)
    #expect(!patient.haveAnswered && !impatient.haveAnswered)
    let note = try await grow()
    for witnesses in [patient, impatient] { witnesses.submit(note) }
    #expect(impatient.haveAnswered)
    try await waits(forSignatures: 2)
    try await slow.waits(for: 2)
    #expect(!patient.haveAnswered)
    // A failure is an answer.
    gate.open()
    #expect(await HangGuard.waits { () async -> Bool in patient.haveAnswered })
    #expect(RunningWitnesses([], storage).haveAnswered)
    for witnesses in [patient, impatient] { await witnesses.stop() }
    for witness in [slow, quick] { await witness.stop() }
  }

  @Test(arguments: [
    ("https://w.example/a/", "https://w.example/a"), ("https://w.example", "https://w.example"),
    ("http://127.0.0.1:80/w", "http://127.0.0.1:80/w"), ("http://[::1]:80/w", "http://[::1]:80/w"),
    ("http://localhost/w", "http://localhost/w"), ("http://w.example/w", nil), ("http://127.0.0.1.example/w", nil),
    ("https://", nil), ("ftp://w.example", nil), ("w.example", nil), ("https://w.example/?q", nil),
    ("https://u@w.example/", nil), ("https://w.example/#f", nil),
  ])
  func `a witness needs an encrypted connection, or is on this machine`(url: String, expected: String?) throws {
    let witness = try? AuditWitness(Settings.Choice(text: "\(Self.key()) \(url)", place: "--audit-witness"))
    #expect(witness?.url == expected)
  }

  private static func key(_ kind: NoteKey.Kind = .ed25519Cosignature) throws -> String {
    let key = try SigningKey.generate(.ed25519, random: .system)
    return try NoteSigner(name: "w.example/1", kind: kind, signingKey: key).key.text
  }

  @Test func `the key must be one for cosignatures`() throws {
    let texts = [
      "\(try Self.key(.ed25519)) https://w.example", try Self.key(), "https://w.example", "a+b+c https://w.example",
      "\(try Self.key()) https://w.example more", "",
    ]
    for text in texts {
      #expect(throws: CommandFailure.self, "\(text)") {
        try AuditWitness(Settings.Choice(text: text, place: "--audit-witness"))
      }
    }
  }
}

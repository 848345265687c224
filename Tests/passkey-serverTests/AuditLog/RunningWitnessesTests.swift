// SPDX-License-Identifier: Apache-2.0

import COSE
import CommandLineTool
import PasskeyHTTP
import PasskeyService
import PasskeyStorage
import SystemCrypto
import SystemIO
import TestSupport
import Testing
import TransparencyLog
import TransparencyLogTestSupport
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import passkey_server

/// The tasks that send checkpoints to witnesses over HTTP.
struct RunningWitnessesTests {
  /// A witness on this machine.
  private final class Witness: Sendable {
    let setting: AuditWitness
    private let server: HTTPServer
    private let answers = Locked(0)

    /// Starts a witness. `answer` returns the response to the request of a number, from 1 on; nil for that of a correct
    /// witness.
    init(
      _ log: AuditLog, _ name: String, _ answer: @escaping @Sendable (Int) async -> HTTPResponse? = { (_) in nil }
    ) throws {
      let key = try SigningKey.generate(.ed25519, random: .system)
      let signer = try NoteSigner(name: name, kind: .ed25519Cosignature, signingKey: key)
      let sample = Locked(try SampleWitness(signer, of: NoteKey(log.verifier)))
      server = try HTTPServer(HTTPServerConfiguration()) { [answers] (request) in
        guard request.target.path == "/w/add-checkpoint", request.method == .post else {
          return HTTPResponse(.notFound)
        }
        let number = answers.withLock { (count) in
          count += 1
          return count
        }
        if let response = await answer(number) { return response }
        let reply = sample.withLock { $0.answer(Array(request.body)) }
        return HTTPResponse(
          HTTPStatus(rawValue: reply.status), contentType: reply.mediaType ?? "text/plain", body: reply.body)
      }
      setting = try AuditWitness(
        Settings.Choice(text: "\(signer.key.text) http://127.0.0.1:\(server.port)/w/", place: "--audit-witness"))
    }

    /// The number of requests so far.
    var requestCount: Int { answers.withLock { $0 } }

    /// Waits until it has had this many requests.
    func waits(for count: Int) async throws {
      #expect(await HangGuard.waits { () async in self.requestCount >= count })
    }

    func stop() async { await server.stop(within: .seconds(2)) }
  }

  private let storage = MemoryStorage()
  private let service: AuthService
  private let key: SigningKey
  private let context = RequestContext(time: Timestamp(secondsSince1970: 1_800_000_000), requestID: "r")

  init() throws {
    let id = try RelyingPartyID("raxx.app")
    service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [Origin("https://raxx.app")]), storage: storage,
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id))
    key = try SigningKey.generate(.ed25519, random: .system)
  }

  /// Adds a record and returns the checkpoint.
  private func grow() async throws -> SignedNote {
    _ = try await service.invite(nil, by: .console, in: context)
    return try #require(try await AuditSequencer(storage, key: key).sequence(at: context.time)).note
  }

  /// Waits until the newest checkpoint has so many signatures.
  private func waits(forSignatures count: Int) async throws {
    #expect(
      try await HangGuard.waits {
        try await SignedNote(parsing: #require(service.auditLog()).checkpoint.note).signatures.count >= count
      })
  }

  @Test func `each witness cosigns, and one that does not answer delays no other`() async throws {
    let log = try await service.beginAuditLog(key: key, in: context)
    let isReleased = Locked(false)
    let hangs = try Witness(log, "w.example/hangs") { (_) in
      while !isReleased.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
      return HTTPResponse(.internalServerError)
    }
    let (one, other) = (try Witness(log, "w.example/1"), try Witness(log, "w.example/2"))
    let witnesses = RunningWitnesses([hangs.setting, one.setting, other.setting], storage, interval: .milliseconds(1))
    for _ in 0..<3 {
      witnesses.submit(try await grow())
      try await waits(forSignatures: 3)
    }
    try await hangs.waits(for: 1)
    #expect(witnesses.contradictedOrigin == nil)
    // The running request is cancelled.
    await witnesses.stop()
    isReleased.withLock { $0 = true }
    for witness in [one, other, hangs] { await witness.stop() }
  }

  @Test func `a witness that is down gets the newest checkpoint when it is back`() async throws {
    let log = try await service.beginAuditLog(key: key, in: context)
    let witness = try Witness(log, "w.example/1") { (number) in
      switch number {
      case 1: HTTPResponse(HTTPStatus(rawValue: 503))
      case 2: HTTPResponse(.ok, contentType: "text/html", body: Array("<html>".utf8))
      case 3: HTTPResponse(.ok, contentType: "text/plain", body: [UInt8](repeating: 0x61, count: 1 << 20))
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
    let log = try await service.beginAuditLog(key: key, in: context)
    let witness = try Witness(log, "w.example/1")
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

  @Test func `a contradiction names the log that must not grow`() async throws {
    let log = try await service.beginAuditLog(key: key, in: context)
    let witness = try Witness(log, "w.example/1") { (_) in
      HTTPResponse(.conflict, contentType: "text/x.tlog.size", body: Array("99\n".utf8))
    }
    let witnesses = RunningWitnesses([witness.setting], storage, interval: .milliseconds(1))
    witnesses.submit(try await grow())
    #expect(await HangGuard.waits { () async in witnesses.contradictedOrigin != nil })
    #expect(witnesses.contradictedOrigin == log.origin)
    await witnesses.stop()
    await witness.stop()
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

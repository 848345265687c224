// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCommandLine
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyLogTestSupport
import PasskeyService
import PasskeySystem
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

@testable import passkey_server

/// A witness on this machine.
final class LocalWitness: Sendable {
  let setting: AuditWitness
  private let server: HTTPServer
  private let answers = Locked(0)

  /// Starts a witness. `answer` returns the response to the request of a number, from 1 on; nil for that of a correct
  /// witness.
  init(
    _ log: AuditLog, _ name: String, _ answer: @escaping @Sendable (Int) async -> EndpointResponse? = { (_) in nil }
  ) throws {
    let key = try SigningKey.generate(.ed25519, random: .system)
    let signer = try NoteSigner(name: name, kind: .ed25519Cosignature, signingKey: key)
    let sample = Locked(try SampleWitness(signer, of: NoteKey(log.verifier)))
    server = try HTTPServer(HTTPServerConfiguration()) { [answers] (request) in
      guard request.target.path == "/w/add-checkpoint", request.method == .post else {
        return EndpointResponse(.notFound)
      }
      let number = answers.withLock { (count) in
        count += 1
        return count
      }
      if let response = await answer(number) { return response }
      let reply = sample.withLock { $0.answer(Array(request.body)) }
      return EndpointResponse(
        EndpointStatus(rawValue: reply.status), contentType: reply.mediaType ?? "text/plain", body: reply.body)
    }
    setting = try AuditWitness(
      Settings.Choice(text: "\(signer.key.text) http://127.0.0.1:\(server.port)/w/", place: "--audit-witness"))
  }

  /// The number of requests so far.
  var requestCount: Int { answers.withLock { $0 } }

  /// Waits until it has had this many requests.
  func waits(for count: Int) async throws {
    #expect(await HangGuard.waits { () async -> Bool in self.requestCount >= count })
  }

  func stop() async { await server.stop(within: .seconds(2)) }
}

/// Holds the answers of a witness back until it is opened.
final class AnswerGate: Sendable {
  private let isOpen = Locked(false)

  func open() { isOpen.withLock { $0 = true } }

  func waits() async {
    while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import BrowserBridge

@Suite struct TerminalApprovalTests {
  private let folder: TemporaryFolder
  private let askedCount = Locked(0)
  private var path: String { "\(folder.path)/approve" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func question(_ kind: Question.Kind, relyingPartyID: String? = "raxx.app") throws -> Question {
    Question(
      kind: kind, origin: try WebOrigin("https://raxx.app"), isCrossOrigin: true, relyingPartyID: relyingPartyID)
  }

  /// Asks, while `terminal` answers the question that arrives.
  private func ask(
    _ kind: Question.Kind, _ terminal: @escaping @Sendable (AskedQuestion) throws -> Void
  ) async throws -> QuestionAnswer {
    // Another path for each question: the listener of an earlier one may still be open.
    let number = askedCount.withLock { (count) -> Int in
      count += 1
      return count
    }
    let path = "\(folder.path)/\(number)"
    let listener = try QuestionListener(path: path)
    let approval = try TerminalApproval(path: path, otherwise: AutomaticApproval.always)
    async let answer = approval.answer(to: try question(kind), in: 1)
    try await waiting { try terminal(try listener.next()) }
    return try await answer
  }

  @Test func `each kind of question arrives as it was asked`() async throws {
    let users = [
      PasskeyUser(id: try UserHandle([1, 2][...]), name: "ada", displayName: "Ada \u{1F511}"),
      PasskeyUser(id: try UserHandle([3][...])),
    ]
    let kinds: [Question.Kind] = [
      .create(user: "ada"), .create(user: nil), .signIn(user: "ada"), .signIn(user: nil), .revealExisting,
      .choose(users), .pin(attemptsLeft: 3), .pin(attemptsLeft: nil),
    ]
    for kind in kinds {
      let asked = Locked<Question?>(nil)
      _ = try await ask(kind) { (question) in asked.withLock { $0 = question.question } }
      let arrived = try #require(asked.withLock { $0 })
      #expect("\(arrived)" == "\(try question(kind))")
    }
  }

  @Test func `each answer returns`() async throws {
    #expect(try await text(ask(.create(user: nil)) { $0.answer(.approved) }) == "approved")
    #expect(try await text(ask(.create(user: nil)) { $0.answer(.refused) }) == "refused")
    #expect(try await text(ask(.choose([])) { $0.answer(.chosen(1)) }) == "chosen 1")
    #expect(
      try await text(ask(.pin(attemptsLeft: 8)) { $0.answer(.pin(SecretBytes(utf8: "12\u{e9}4"))) }) == "12\u{e9}4")
    // A terminal that ends without an answer refuses.
    #expect(try await text(ask(.create(user: nil)) { (_) in }) == "refused")
  }

  @Test func `without a terminal another source answers`() async throws {
    for path in [nil, path] {
      let approval = try TerminalApproval(path: path, otherwise: AutomaticApproval.always)
      #expect(await text(approval.answer(to: try question(.create(user: nil)), in: 1)) == "approved")
    }
  }

  @Test func `a cancelled question ends at the terminal`() async throws {
    let listener = try QuestionListener(path: path)
    let approval = try TerminalApproval(path: path, otherwise: AutomaticApproval.always)
    // Without a pending question a cancellation means nothing.
    await approval.cancel()
    async let answer = approval.answer(to: try question(.create(user: nil)), in: 1)
    let asked = try await waiting { try listener.next() }
    #expect(!asked.end.wait(for: .reading, until: .now))
    await approval.cancel()
    #expect(try await text(answer) == "cancelled")
    #expect(try await waiting { asked.end.wait(for: .reading) })
    // Nothing waits for this answer.
    asked.answer(.approved)
  }

  @Test func `only this user can reach the socket, and only one terminal listens`() throws {
    let listener = try QuestionListener(path: path)
    #expect(try FileStatus(ofFileAt: path).permissions & 0o777 == 0o600)
    let error = #expect(throws: BrowserError.self) { try QuestionListener(path: path) }
    #expect(error?.code == .cannotListen)
    listener.withdraw()
    #expect(try File.names(in: folder.path) == [])
  }

  @Test func `a malformed question is skipped`() async throws {
    let listener = try QuestionListener(path: path)
    for bytes in [[0xff, 0xff, 0xff, 0xff], [2, 0, 0, 0, 0x7b, 0x7d], [9, 0]] as [[UInt8]] {
      let socket = try UnixSocket.connect(to: path)
      try socket.sendAll(bytes)
      socket.close()
    }
    let approval = try TerminalApproval(path: path, otherwise: AutomaticApproval.never)
    async let answer = approval.answer(to: try question(.create(user: nil)), in: 1)
    try await waiting { try listener.next().answer(.approved) }
    #expect(try await text(answer) == "approved")
  }

  @Test(arguments: ["{}", #"{"type":"answer","question":2,"answer":"approve"}"#, #"{"type":"hello","version":1}"#])
  func `a malformed answer refuses`(message: String) async throws {
    let listener = try UnixSocket.listen(at: path)
    let approval = try TerminalApproval(path: path, otherwise: AutomaticApproval.always)
    async let answer = approval.answer(to: try question(.create(user: nil)), in: 1)
    try await waiting {
      let connection = ApprovalConnection(try UnixSocket.accept(from: listener))
      guard case .message = connection.receive() else { throw BrowserError(.connectionFailed) }
      try connection.send([UInt8](message.utf8))
    }
    #expect(try await text(answer) == "refused")
    listener.close()
  }

  private func text(_ answer: QuestionAnswer) -> String {
    switch answer {
    case .approved: "approved"
    case .refused: "refused"
    case .chosen(let index): "chosen \(index)"
    case .pin(let pin): pin.withBytes { (pin) in String(decoding: pin, as: UTF8.self) }
    case .cancelled: "cancelled"
    }
  }

  @Test func `a connection that sends nothing does not keep out a question`() async throws {
    let path = "\(folder.path)/silent"
    let listener = try QuestionListener(path: path, limit: .milliseconds(50))
    let silent = try await waiting { try UnixSocket.connect(to: path) }
    defer { silent.close() }
    let approval = try TerminalApproval(path: path, otherwise: AutomaticApproval.never)
    async let answer = approval.answer(to: try question(.create(user: "ada")), in: 1)
    try await waiting { try listener.next().answer(.approved) }
    guard case .approved = try await answer else {
      Issue.record("not approved")
      return
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import BrowserBridge

@Suite struct GestureFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `each line of a file answers one question, and its end refuses`() async throws {
    let path = "\(folder.path)/gestures"
    try File.write([UInt8]("approve\nrefuse\nchoose 2\nchoose 0\nchoose\nnonsense\napprove".utf8), to: path)
    let gestures = try GestureFile(path: path)
    #expect(try await answer(gestures, .create(user: nil)) == "approved")
    #expect(try await answer(gestures, .create(user: nil)) == "refused")
    #expect(try await answer(gestures, .choose([])) == "chosen 1")
    #expect(try await answer(gestures, .choose([])) == "refused")
    #expect(try await answer(gestures, .choose([])) == "refused")
    #expect(try await answer(gestures, .signIn(user: nil)) == "refused")
    // A last line without a line break is incomplete.
    #expect(try await answer(gestures, .signIn(user: nil)) == "refused")
  }

  @Test func `a line for another kind of question refuses`() async throws {
    let path = "\(folder.path)/gestures"
    try File.write([UInt8]("choose 1\napprove\napprove\n".utf8), to: path)
    let gestures = try GestureFile(path: path)
    #expect(try await answer(gestures, .create(user: nil)) == "refused")
    #expect(try await answer(gestures, .choose([])) == "refused")
    #expect(try await answer(gestures, .pin(attemptsLeft: 8)) == "refused")
  }

  @Test func `a missing file refuses`() async throws {
    let gestures = try GestureFile(path: "\(folder.path)/missing")
    #expect(try await answer(gestures, .create(user: nil)) == "refused")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
  func `another user's file refuses`() async throws {
    let path = "\(folder.path)/gestures"
    try File.write([UInt8]("approve\napprove\n".utf8), to: path)
    #expect(unsafe chown(path, 1, 1) == 0)
    #expect(try await answer(try GestureFile(path: path), .create(user: nil)) == "refused")
  }

  @Test func `a question waits for a line in a named pipe`() async throws {
    let path = "\(folder.path)/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let gestures = try GestureFile(path: path)
    async let answer = answer(gestures, .create(user: nil))
    // Blocks until the pipe is open for reading.
    try await waiting { try File.write([UInt8]("approve\n".utf8), to: path) }
    #expect(try await answer == "approved")
  }

  @Test func `a question that waits for a pipe can be cancelled`() async throws {
    let path = "\(folder.path)/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let gestures = try GestureFile(path: path)
    // An earlier cancellation does not count.
    await gestures.cancel()
    async let answer = answer(gestures, .create(user: nil))
    let cancelling = Task {
      while !Task.isCancelled {
        await gestures.cancel()
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
    #expect(try await answer == "cancelled")
    cancelling.cancel()
    await cancelling.value
    async let next = self.answer(gestures, .create(user: nil))
    try await waiting { try File.write([UInt8]("approve\n".utf8), to: path) }
    #expect(try await next == "approved")
  }

  private func answer(_ gestures: GestureFile, _ kind: Question.Kind) async throws -> String {
    let question = Question(
      kind: kind, origin: try WebOrigin("https://raxx.app"), isCrossOrigin: false, relyingPartyID: "raxx.app")
    return switch await gestures.answer(to: question, in: 1) {
    case .approved: "approved"
    case .refused: "refused"
    case .chosen(let index): "chosen \(index)"
    case .pin: "pin"
    case .cancelled: "cancelled"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeySystem
internal import WebAuthnAuthenticator

/// The terminal's end of ``TerminalApproval``: a Unix socket at which hosts ask.
package final class QuestionListener: Sendable {
  // 5 s  [a host sends its question at once; a connection that sends nothing must not keep out others]
  private static let questionDuration = Duration.seconds(5)

  private let listener: UnixListener
  private let limit: Duration

  /// Listens at a path, with access for this user only.
  ///
  /// - Throws: `browser-host.cannot-listen`, also if another terminal listens there.
  package convenience init(path: String) throws(BrowserError) {
    try self.init(path: path, limit: Self.questionDuration)
  }

  init(path: String, limit: Duration) throws(BrowserError) {
    self.limit = limit
    listener = try mapError(UnixListener(path: path)) { (error: TransportError) in
      BrowserError(.cannotListen, error.detail)
    }
  }

  /// Removes the socket. Call it before the process exits.
  package func withdraw() {
    listener.withdraw()
  }

  /// Waits for the next question. Blocks the calling thread.
  ///
  /// - Throws: `browser-host.connection-failed`.
  package func next() throws(BrowserError) -> AskedQuestion {
    while true {
      do throws(TransportError) {
        guard let descriptor = try listener.acceptDescriptor() else { continue }
        let connection = ApprovalConnection(descriptor)
        guard descriptor.peerUserID == CurrentProcess.userID,
          let question = AskedQuestion(from: connection, until: .now + limit)
        else {
          continue
        }
        return question
      } catch {
        throw BrowserError(.connectionFailed, error.detail)
      }
    }
  }
}

/// A question that waits for its answer. Releasing it unanswered refuses.
package struct AskedQuestion: Sendable {
  package let question: Question
  private let connection: ApprovalConnection

  /// Is ready for reading once the host no longer waits for the answer.
  package var end: FileDescriptor { connection.descriptor }

  /// Receives the question. Returns nil if none arrives.
  fileprivate init?(from connection: ApprovalConnection, until deadline: ContinuousClock.Instant) {
    guard case .message(let message) = connection.receive(until: deadline),
      let question = try? Question(parsing: message)
    else {
      return nil
    }
    self.question = question
    self.connection = connection
  }

  /// Sends the answer. A host that no longer waits does not get it.
  package func answer(_ answer: QuestionAnswer) {
    try? connection.send(BrowserRequest.message(answering: ApprovalConnection.question, answer))
  }
}

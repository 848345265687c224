// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// Asks at the terminal where `passkey browser approve` runs. Without such a terminal, asks elsewhere.
///
/// Each question has a connection of its own. Its end cancels the question.
package final class TerminalApproval: ApprovalSource {
  private let path: String?
  private let other: any ApprovalSource
  private let cancellation: WakeUp

  /// Uses the socket at a path. `other` is asked while no terminal of this user listens there.
  package init(path: String?, otherwise other: any ApprovalSource) throws(BrowserError) {
    self.path = path
    self.other = other
    cancellation = try mapError(WakeUp()) { (error: SystemError) in BrowserError(.connectionFailed, error.message) }
  }

  package func answer(to question: Question, in ceremony: Int64) async -> QuestionAnswer {
    // A cancellation without a pending question means nothing.
    cancellation.clear()
    let answer = await SystemThread.run { [self] in ask(question, in: ceremony) } ?? nil
    if let answer { return answer }
    return await other.answer(to: question, in: ceremony)
  }

  package func cancel() async {
    cancellation.ring()
    await other.cancel()
  }

  /// Returns nil if no terminal took the question.
  private func ask(_ question: Question, in ceremony: Int64) -> QuestionAnswer? {
    // A process of another user at this path could approve.
    guard let path, let socket = try? UnixSocket.connect(to: path) else { return nil }
    let connection = ApprovalConnection(socket)
    guard socket.peerUserID == CurrentProcess.userID,
      (try? connection.send(
        BrowserReply.question(number: ApprovalConnection.question, ceremony: ceremony, question).json)) != nil
    else { return nil }
    switch connection.receive(unless: cancellation.descriptor) {
    case .cancelled: return .cancelled
    case .message(let message):
      guard case .answer(ApprovalConnection.question, let answer)? = try? BrowserRequest(parsing: message) else {
        return .refused
      }
      return answer
    // The user closed the terminal.
    case .end: return .refused
    }
  }
}

/// A connection that carries one question and its answer.
final class ApprovalConnection: Sendable {
  /// The number of the only question.
  static let question: UInt64 = 1

  let descriptor: FileDescriptor

  /// The result of waiting for a message.
  enum Received {
    case message(Bytes)
    case end
    case cancelled
  }

  /// Owns a connected socket.
  init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  deinit {
    descriptor.close()
  }

  func send(_ message: [UInt8]) throws(BrowserError) {
    let bytes = try NativeMessages.encode(message)
    try mapError(descriptor.sendAll(bytes)) { (error: SystemError) in BrowserError(.connectionFailed, error.message) }
  }

  /// Waits for a message, until `cancellation` is ready for reading or `deadline` has passed. A malformed message is the end.
  func receive(unless cancellation: FileDescriptor? = nil, until deadline: ContinuousClock.Instant? = nil) -> Received {
    var buffer = NativeMessageBuffer(limit: NativeMessages.maximumOutgoingByteCount)
    let never = FileDescriptor(number: -1)
    while true {
      let ready = FileDescriptor.wait(
        for: [(descriptor, .reading), (cancellation ?? never, .reading)], until: deadline)
      if ready[1] { return .cancelled }
      guard ready[0] else { return .end }
      guard let bytes = try? descriptor.read(upTo: 1 << 16), !bytes.isEmpty else { return .end }
      buffer.append(bytes)
      do throws(BrowserError) {
        if let message = try buffer.take() { return .message(message) }
      } catch {
        return .end
      }
    }
  }
}

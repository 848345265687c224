// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// Asks in the window of the extension.
package final class WindowApproval: ApprovalSource {
  private let send: @Sendable (BrowserReply) -> Void
  private let state = Locked(State())

  private struct State {
    var number: UInt64 = 0
    var pending: CheckedContinuation<QuestionAnswer, Never>?
  }

  package init(send: @escaping @Sendable (BrowserReply) -> Void) {
    self.send = send
  }

  package func answer(to question: Question, in ceremony: Int64) async -> QuestionAnswer {
    await withCheckedContinuation { (continuation: CheckedContinuation<QuestionAnswer, Never>) in
      let (number, earlier) = state.withLock { (state) in
        defer { state.pending = continuation }
        state.number += 1
        return (state.number, state.pending)
      }
      earlier?.resume(returning: .cancelled)
      send(.question(number: number, ceremony: ceremony, question))
    }
  }

  /// Answers the pending question. Answers to earlier questions are ignored.
  package func receive(_ answer: QuestionAnswer, to number: UInt64) {
    resume(answer) { (state) in state.number == number }
  }

  package func cancel() async {
    resume(.cancelled) { (_) in true }
  }

  private func resume(_ answer: QuestionAnswer, where isMeant: (State) -> Bool) {
    let pending = state.withLock { (state) -> CheckedContinuation<QuestionAnswer, Never>? in
      guard isMeant(state) else { return nil }
      defer { state.pending = nil }
      return state.pending
    }
    pending?.resume(returning: answer)
  }
}

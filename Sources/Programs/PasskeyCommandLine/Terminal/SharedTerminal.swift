// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// A terminal that tasks share. It asks one yes-or-no question at a time; other questions wait.
package final class SharedTerminal: Sendable {
  private let terminal: Terminal
  /// Is ready for reading while no question is asked; the next one takes its only byte.
  private let turn: WakeUp

  /// Returns nil if there is no terminal.
  package init?() {
    guard let terminal = Terminal(), let turn = try? WakeUp() else { return nil }
    self.terminal = terminal
    self.turn = turn
    turn.ring()
  }

  /// Asks one question, on a thread of its own. The time limit includes the wait for earlier questions. Cancelling the task
  /// cancels the question.
  package func confirm(
    _ question: String, within limit: Duration, until cancellation: QuestionCancellation
  ) async -> Terminal.Answer {
    cancellation.clear()
    let deadline = ContinuousClock.now + limit
    return await withTaskCancellationHandler {
      await SystemThread.run { [self] in answer(to: question, until: deadline, cancellation) } ?? .cancelled
    } onCancel: {
      cancellation.request()
    }
  }

  private func answer(
    to question: String, until deadline: ContinuousClock.Instant, _ cancellation: QuestionCancellation
  ) -> Terminal.Answer {
    while !turn.take() {
      let awaited = [turn.descriptor, cancellation.descriptor, Interruption.descriptor].map { (descriptor) in
        (descriptor, FileDescriptor.Readiness.reading)
      }
      let ready = FileDescriptor.wait(for: awaited, until: deadline)
      if ready[1] || ready[2] { return .cancelled }
      if !ready[0] { return .timedOut }
    }
    defer { turn.ring() }
    do throws(CommandFailure) {
      let answer = try terminal.confirm(question, until: deadline, cancelledBy: cancellation.descriptor)
      if answer == .timedOut { terminal.write("no answer in time\n") }
      // After Ctrl-C, the command reports it.
      if answer == .cancelled, Interruption.count == 0 { terminal.write("cancelled\n") }
      return answer
    } catch {
      return .cancelled
    }
  }
}

/// A request to cancel a question of a ``SharedTerminal``.
package struct QuestionCancellation: Sendable {
  private let wakeUp = try? WakeUp()

  package init() {}

  /// Is ready for reading while there is a request. It never is if the system has no descriptor left; the question then
  /// waits for an answer or its time limit.
  fileprivate var descriptor: FileDescriptor { wakeUp?.descriptor ?? FileDescriptor(number: -1) }

  package func request() {
    wakeUp?.ring()
  }

  /// Resets a request from an earlier question.
  fileprivate func clear() {
    wakeUp?.clear()
  }
}

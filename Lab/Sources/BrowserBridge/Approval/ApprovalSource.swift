// SPDX-License-Identifier: Apache-2.0

/// Where the answers to questions come from. One question is pending at a time.
package protocol ApprovalSource: Sendable {
  /// Returns the answer to a question of a ceremony.
  func answer(to question: Question, in ceremony: Int64) async -> QuestionAnswer

  /// Ends the pending question, which returns `cancelled`. Does nothing to later questions.
  func cancel() async
}

/// A user who answers all questions at once.
package struct AutomaticApproval: ApprovalSource {
  private let agrees: Bool

  /// Approves everything, and chooses the passkey that the device names first.
  package static let always = Self(agrees: true)

  /// Refuses everything.
  package static let never = Self(agrees: false)

  package func answer(to question: Question, in ceremony: Int64) async -> QuestionAnswer {
    guard agrees else { return .refused }
    switch question.kind {
    case .choose: return .chosen(0)
    case .pin: return .refused
    case .create, .signIn, .revealExisting: return .approved
    }
  }

  package func cancel() async {}
}

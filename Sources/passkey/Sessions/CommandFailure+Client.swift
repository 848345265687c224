// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient

extension CommandFailure {
  /// What to tell the user when the client cannot do what it was asked.
  init(_ error: ClientError) {
    let words = error.words
    switch error.code {
    case .refusedByServer: self = Self.refusedByServer(error)
    case .addressInvalid, .addressUnencrypted, .requestMalformed, .profileInvalid, .endpointMissing,
      .certificateAuthorityUnusable:
      self = .usage(words, hint: error.hint ?? "passkey help request tells more")
    case .sessionInvalid, .sessionNotRenewable: self = .refusedByServer(words, hint: Self.signInHint)
    case .stepUpMismatch: self = .verificationFailed(words, hint: "nothing was confirmed and nothing was sent")
    case _ where error.isOfNetwork: self = .network(words, hint: error.outcomeHint ?? error.hint)
    default: self = .refused(words, hint: error.hint)
    }
  }

  static let signInHint = "passkey sign-in opens a session"

  private static func refusedByServer(_ error: ClientError) -> Self {
    guard let problem = error.problem else { return .refusedByServer(error.words) }
    return refusal(by: problem)
  }

  /// What the server said, with its code.
  static func refusal(by problem: Problem) -> Self {
    let title = [problem.title, problem.detail].compactMap(\.self).map(\.escapedForTerminal).joined(separator: ": ")
    let code = problem.code?.escapedForTerminal ?? "status \(problem.status)"
    return .refusedByServer(
      "the server refused: \(code)" + (title.isEmpty ? "" : ": \(title)"), hint: hint(for: problem))
  }

  private static func hint(for problem: Problem) -> String? {
    if problem.isForNobody { return signInHint }
    return switch (problem.status, problem.code) {
    case (429, _): "wait, and try again"
    case (_, "authentication.origin-not-allowed"?), (_, "registration.origin-not-allowed"?):
      "--origin names the site that the passkeys are for"
    default: nil
    }
  }
}

extension Problem {
  /// Whether the server knows nobody by what was shown to it, so that it need not be shown again.
  var isForNobody: Bool { status == 401 && stepUp == nil && code?.hasPrefix("session.") ?? true }
}

extension ClientError {
  fileprivate var words: String {
    (detail.map { "\($0) (\(code.rawValue))" } ?? code.rawValue).escapedForTerminal
  }

  /// What a person must know of a request that was to change something.
  fileprivate var outcomeHint: String? {
    switch outcome {
    case .notSent: "it was cancelled: nothing was sent, nothing is queued"
    case .unknown: "it was sent, and it is not known whether the server carried it out: look before you send it again"
    case nil: nil
    }
  }

  fileprivate var isOfNetwork: Bool {
    switch code {
    case .redirected, .replyTooLarge, .replyMalformed, .cancelled, .systemFailed, .writingNotAllowed: true
    default: isLossOfConnection
    }
  }

  fileprivate var hint: String? {
    switch code {
    case .certificateUntrusted: "--cacert names the authority, where it is a private one"
    case .certificateNotYetValid, .certificateExpired: "see that this machine's clock is right: passkey doctor"
    case .writingNotAllowed: "passkey whoami, or any GET, reads the state anew"
    case .unreachable, .nameNotFound, .connectTimedOut: "see that the server runs, and that this machine may reach it"
    case .originNotAllowed: "--origin names the site that the passkeys are for"
    case .addressInvalid, .addressUnencrypted: "it is written https://api.raxx.app"
    default: nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient

extension CommandFailure {
  /// What to tell when the server, or the way to it, is what fails; nil where it is the ceremony.
  static func ofServer(_ error: ClientError) -> Self? {
    let words = error.serverWords
    switch error.code {
    case .refusedByServer: return error.problem.map { refusal(by: $0, error.outcome) } ?? .refusedByServer(words)
    case .addressInvalid, .addressUnencrypted, .requestMalformed, .profileInvalid, .endpointMissing,
      .certificateAuthorityUnusable:
      return .usage(words, hint: error.serverHint ?? "passkey help request tells more")
    case .sessionInvalid, .sessionNotRenewable: return .refusedByServer(words, hint: signInHint)
    case .stepUpMismatch:
      return .verificationFailed(words, hint: "it was not carried out: what is confirmed has to be what is sent")
    case .writingNotAllowed:
      // What became of it, and the way on.
      return .network(words, hint: [error.outcome?.hint, error.serverHint].compactMap(\.self).joined(separator: "; "))
    case _ where error.isOfNetwork: return .network(words, hint: error.outcome?.hint ?? error.serverHint)
    default: return nil
    }
  }

  static let signInHint = "passkey sign-in opens a session"

  /// What the server said, with its code, and what is known of what was to be written.
  static func refusal(by problem: Problem, _ outcome: WriteOutcome?) -> Self {
    let title = [problem.title, problem.detail].compactMap(\.self).map(\.escapedForTerminal).joined(separator: ": ")
    let code = problem.code?.escapedForTerminal ?? "status \(problem.status)"
    return .refusedByServer(
      "the server refused: \(code)" + (title.isEmpty ? "" : ": \(title)"), hint: hint(for: problem) ?? outcome?.hint)
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
  fileprivate var serverWords: String {
    (detail.map { "\($0) (\(code.rawValue))" } ?? code.rawValue).escapedForTerminal
  }

  fileprivate var isOfNetwork: Bool {
    switch code {
    case .redirected, .replyTooLarge, .replyMalformed, .cancelled, .systemFailed, .writingNotAllowed: true
    default: isLossOfConnection
    }
  }

  fileprivate var serverHint: String? {
    switch code {
    case .certificateUntrusted: "--cacert names the authority, where it is a private one"
    case .certificateNotYetValid, .certificateExpired: "see that this machine's clock is right: passkey doctor"
    case .writingNotAllowed: "passkey whoami, or any GET, reads the state anew"
    case .unreachable, .nameNotFound, .connectTimedOut: "see that the server runs, and that this machine may reach it"
    case .addressInvalid, .addressUnencrypted: "it is written https://api.raxx.app"
    default: nil
    }
  }
}

extension WriteOutcome {
  /// What a person must know of a request that was to change something.
  fileprivate var hint: String {
    switch self {
    case .notSent: "it was cancelled: nothing was sent, nothing is queued"
    case .unknown: "it was sent, and it is not known whether the server carried it out: look before you send it again"
    }
  }
}

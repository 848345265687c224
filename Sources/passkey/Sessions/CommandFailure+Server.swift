// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WebAuthnClient
internal import WireFormats

extension CommandFailure {
  /// Converts an error of the server or the connection. Returns nil for errors of the ceremony.
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
      // The outcome of the request, and how to continue.
      return .network(words, hint: [error.outcome?.hint, error.serverHint].compactMap(\.self).joined(separator: "; "))
    case _ where error.isOfNetwork:
      let hints = [error.outcome?.hint ?? error.serverHint, error.proxyHint].compactMap(\.self)
      return .network(words, hint: hints.isEmpty ? nil : hints.joined(separator: "; "))
    default: return nil
    }
  }

  static let signInHint = "passkey sign-in opens a session"

  /// Describes a refusal: the server's message and code, and the outcome of a write. `again` is the number of seconds
  /// to wait, if the problem does not contain it.
  static func refusal(by problem: Problem, _ outcome: WriteOutcome?, again: Int64? = nil) -> Self {
    let title = [problem.title, problem.detail].compactMap(\.self).map(\.escapedForTerminal).joined(separator: ": ")
    let code = problem.code?.escapedForTerminal ?? "status \(problem.status)"
    let member = problem.member.map { " (\($0.escapedForTerminal))" } ?? ""
    let hints = [outcome?.hint, hint(for: problem, again ?? problem.retryAfter.map { Int64($0) })].compactMap(\.self)
    return .refusedByServer(
      "the server refused: \(code)" + (title.isEmpty ? "" : ": \(title)") + member,
      hint: hints.isEmpty ? nil : hints.joined(separator: "; "))
  }

  private static func hint(for problem: Problem, _ seconds: Int64?) -> String? {
    if problem.isForNobody { return signInHint }
    return switch (problem.status, problem.code) {
    case (429, _): Self.patience(seconds)
    case (503, _) where seconds != nil: Self.patience(seconds)
    case (_, "authentication.origin-not-allowed"?), (_, "registration.origin-not-allowed"?):
      "--origin names the site that the passkeys are for"
    // A missing grant leads to a step-up request, not to a refusal.
    case (_, "step-up.grant-refused"?),
      _ where problem.stepUp != nil:
      "a confirmation is good once, for about a minute, and for one act in one session: make another"
    default: nil
    }
  }

  // 90 s  [the user waits up to this long; beyond it, a time of day is more useful]
  private static let longestWait: Int64 = 90
  // A day  [beyond it, a time of day is ambiguous]
  private static let day: Int64 = 86_400

  /// Returns advice about when to try again.
  private static func patience(_ seconds: Int64?) -> String {
    guard let seconds else { return "wait, and try again" }
    guard seconds > longestWait else { return "wait \(max(1, seconds)) s, and try again" }
    guard seconds < day else { return "the server wants to be left alone for \(seconds / day) d" }
    let time = Clock.now.secondsSince1970 + seconds + Int64(LocalTime.secondsFromUTC)
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    // Round up to the next full minute.
    let minutes = (time + 59) / 60
    return "try again after \(padded(minutes / 60 % 24)):\(padded(minutes % 60)), in \((seconds + 59) / 60) min"
  }
}

extension ServerReply {
  /// The seconds to wait from `Retry-After`, in either of its forms; nil without one.
  var retryAfter: Int64? {
    guard let text = header("retry-after") else { return nil }
    if let seconds = Int64(text) { return seconds >= 0 ? seconds : nil }
    guard let time = HTTPDate.timestamp(text) else { return nil }
    let (seconds, overflow) = time.secondsSince1970.subtractingReportingOverflow(Clock.now.secondsSince1970)
    return overflow ? nil : max(0, seconds)
  }
}

extension Problem {
  /// Whether the server does not accept the session, so that sending it again is pointless.
  var isForNobody: Bool { status == 401 && stepUp == nil && code?.hasPrefix("session.") ?? true }
}

extension ClientError {
  fileprivate var serverWords: String {
    (detail.map { "\(beginning)\($0) (\(code.rawValue))" } ?? code.rawValue).escapedForTerminal
  }

  /// A prefix for details that only state the expected value.
  private var beginning: String {
    switch code {
    case .requestMalformed: "the request cannot be made: "
    case .replyTooLarge: "the reply is too large: it may have "
    case .writingNotAllowed: "nothing can be written now: "
    default: ""
    }
  }

  fileprivate var isOfNetwork: Bool {
    switch code {
    case .redirected, .replyTooLarge, .replyMalformed, .cancelled, .systemFailed, .writingNotAllowed: true
    default: isLossOfConnection
    }
  }

  /// A hint for failures that a proxy may cause. It names the setting that selects the proxy.
  fileprivate var proxyHint: String? {
    switch code {
    case .proxyFailed:
      return "--proxy, $https_proxy or $all_proxy names the proxy, and $no_proxy what goes through none"
    case .unreachable, .connectTimedOut:
      // The detail begins with the server's address. Loopback servers are reached without a proxy.
      let server = detail.flatMap { (detail) in try? ServerAddress(String(detail.prefix { $0 != " " })) }
      let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      guard server?.isLoopback == false, let name = names.first(where: { Environment.value($0) != nil }) else {
        return nil
      }
      return "it may be the proxy that $\(name) names which does not answer"
    default: return nil
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
  /// Explains the outcome of a write to the user.
  fileprivate var hint: String {
    switch self {
    case .notSent: "it was cancelled: nothing was sent, nothing is queued"
    case .unknown: "it was sent, and it is not known whether the server carried it out: look before you send it again"
    }
  }
}

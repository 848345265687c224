// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnClient

/// The result of an audit.
package struct AuditReport: Hashable, Sendable {
  /// The address of the audited server.
  package var server: String
  /// The name of the profile with which it was audited.
  package var profile: String
  /// The version of this program.
  package var version: String
  /// The time at which the audit began.
  package var began: UnixTime
  package var seconds: Double
  package var requestCount: Int
  package var findings: [Finding]
  /// The groups whose positive control failed, so that their checks judged nothing or passed nothing.
  package var unjudgedGroups: [UnjudgedGroup] = []
  /// The traces that the audit left behind, such as accounts that the server cannot delete.
  package var leftBehind: [String] = []
  /// Why the server was lost before the last check; nil if it was not.
  package var loss: ClientError?
}

/// A group of checks whose positive control failed.
package struct UnjudgedGroup: Hashable, Sendable {
  package var group: String
  /// The correct request that the server refused.
  package var reason: String

  package init(group: String, reason: String) {
    self.group = group
    self.reason = reason
  }
}

/// The result of one check.
package struct Finding: Hashable, Sendable {
  package var id: String
  package var title: String
  package var group: String
  package var references: [String]
  package var severity: Severity
  package var verdict: Verdict
  package var rationale: String
  package var advice: String
  /// The requests that decided the verdict, in their order, without secrets.
  package var exchanges: [RecordedExchange]
  /// The seconds that the audit would have to wait to judge the check; nil if waiting does not help.
  package var neededPatience: Int64?

  /// Whether the check could judge.
  package var isJudged: Bool { if case .cannotTell = verdict { false } else { true } }
}

/// A request of an audit and its response, for a report. Tokens, cookies and grants are replaced by `[redacted]`.
package struct RecordedExchange: Hashable, Sendable {
  package var method: String
  package var url: String
  package var requestHeaders: [String]
  package var requestBody: String
  /// The status; nil if no response arrived, and then `failure` says why.
  package var status: Int?
  package var failure: String?
  package var responseHeaders: [String]
  package var responseBody: String

  /// Options with which curl repeats what the fields above do not say.
  package var curlOptions: [String] = []

  /// The method of an exchange that is the start of a TLS handshake, and no HTTP request.
  package static let handshake = "TLS"
}

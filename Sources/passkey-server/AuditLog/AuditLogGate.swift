// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP
internal import PasskeyService

/// Refuses requests while the audit log cannot be written, where the operator chose that.
struct AuditLogGate: Sendable {
  let follower: AuditFollower
  let policy: AuditLogFailure
  let healthPath: String?

  /// The answer in place of the endpoint's; nil where the request may go on.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard policy == .refuse, follower.isFailing, request.target.path != healthPath else { return nil }
    return .problem(
      .serviceUnavailable, code: ServiceError.Code.auditLogUnavailable.rawValue,
      title: "The audit log cannot be written now", to: request)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyHTTP
internal import PasskeyService

/// Rejects requests while the audit log cannot be written, if the operator configured that.
struct AuditLogGate: Sendable {
  let follower: AuditFollower
  let policy: AuditLogFailure
  let healthPath: String?

  /// Returns the error response for a request, or nil if the request may proceed.
  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    guard policy == .refuse, follower.isFailing, request.target.path != healthPath else { return nil }
    return .problem(
      .serviceUnavailable, code: ServiceError.Code.auditLogUnavailable.rawValue,
      title: "The audit log cannot be written now", to: request)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyService

/// The destination of the audit log (`--audit-log`).
enum AuditLogTarget: Hashable, Sendable, CustomStringConvertible {
  /// A file of JSON lines.
  case file(String)
  /// A syslog daemon's socket.
  case syslog(socket: String)

  static let systemSocket = "/dev/log"

  init(_ choice: Settings.Choice) throws(CommandFailure) {
    let text = choice.text
    if text == "syslog" {
      self = .syslog(socket: Self.systemSocket)
    } else if text.hasPrefix("syslog:/") {
      self = .syslog(socket: String(text.dropFirst("syslog:".count)))
    } else if text.isEmpty || text == "-" || text.hasPrefix("syslog:") {
      throw choice.refused("use a file, syslog, or syslog:/PATH/OF/SOCKET")
    } else {
      self = .file(text)
    }
  }

  var description: String {
    switch self {
    case .file(let path): path.escapedForTerminal
    case .syslog(Self.systemSocket): "syslog"
    case .syslog(let socket): "syslog at \(socket.escapedForTerminal)"
    }
  }
}

/// The handling of requests while the audit log cannot be written (`--audit-log-failure`).
enum AuditLogFailure: String, CaseIterable, Sendable {
  /// Requests are served; records wait in the database.
  case `continue`
  /// Requests are rejected with 503 and `audit.log-unavailable`.
  case refuse
}

/// Rejects requests while the audit log cannot be written, if the operator configured that.
struct AuditLogGate: Sendable {
  let follower: AuditFollower
  let policy: AuditLogFailure
  let healthPath: String?

  /// Returns the error response for a request, or nil if the request may proceed.
  func refusal(of request: EndpointRequest) -> EndpointResponse? {
    guard policy == .refuse, follower.isFailing, request.target.path != healthPath else { return nil }
    return .problem(
      .serviceUnavailable, code: ServiceError.Code.auditLogUnavailable.rawValue,
      title: "The audit log cannot be written at present", to: request)
  }
}

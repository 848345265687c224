// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

extension Check {
  /// Responses that refuse.
  static let errorChecks: [Check] = [
    Check(
      id: "http.error-details", title: "shows no internals in error responses",
      references: ["ASVS 5.0 16.5.1", "ASVS 5.0 13.4.2"], severity: .medium,
      rationale: "Stack traces, paths and statements show an attacker how the server works.",
      advice: "Log the details, and answer with a code."
    ) { (world) in
      for reply in try await world.malformedReplies() {
        let text = reply.text
        let isStatement = text.contains("SELECT ") && text.contains(" FROM ")
        if let sign = isStatement ? "a statement of SQL" : Self.internals.first(where: { text.contains($0) }) {
          return .fail("an error response has \(sign.filter { !$0.isNewline })")
        }
      }
      return .pass
    },
    Check(
      id: "http.problem-details", title: "describes errors as RFC 9457 says, if it uses problem details",
      references: ["RFC 9457 §3.1", "ASVS 5.0 16.5.1"], severity: .low,
      rationale:
        "A client that reads another status in the body than in the response treats the error as a different one.",
      advice: "Write the status of the response, use text for `type`, `title` and `detail`, and leave out exceptions."
    ) { (world) in
      var replies = try await world.malformedReplies()
      replies.append(try await world.send(ServerRequest("GET", "/passkey-audit-unknown")))
      if world.profile[.me] != nil { replies.append(try await world.send(world.request(.me))) }
      let problems = replies.filter { $0.mediaType == "application/problem+json" }
      if problems.isEmpty { return .cannotTell("errors are no problem details, which are optional") }
      for problem in problems {
        if let fault = Self.fault(of: problem) { return .fail(fault) }
      }
      return .pass
    },
    Check(
      id: "http.reflected-markup", title: "does not repeat a path in a page",
      references: ["ASVS 5.0 1.2.1", "CWE-79"], severity: .high,
      rationale: "A link to the API runs a script in its origin.",
      advice: "Answer errors as JSON, and escape what pages repeat."
    ) { (world) in
      let reply = try await world.send(ServerRequest("GET", "/%3Cscript%3Eaudit%3C/script%3E"))
      let isPage =
        reply.mediaType.map { $0 != "application/json" && !$0.hasSuffix("+json") && $0 != "text/plain" } ?? true
      return isPage && reply.text.contains("<script>audit") ? .fail("the path is in a page unescaped") : .pass
    },
  ]

  /// Text of stack traces, also as it is in JSON.
  private static let internals = [
    "Traceback (most", "\n\tat ", "\\n\\tat ", "\n    at ", "\\n    at ", "Fatal error:", "SQLSTATE", "/usr/lib/",
    "node_modules", ".swift:", "stack trace", "Exception in thread",
  ]

  /// Returns what is wrong with problem details; nil if nothing is.
  private static func fault(of reply: ServerReply) -> String? {
    guard let problem = try? JSON.parse(reply.body, maximumSize: reply.body.count), problem.kind == .object else {
      return "problem details are not a JSON object"
    }
    if let status = (try? problem["status"]) ?? nil, (try? status.int64) != Int64(reply.status) {
      return "problem details of a response with \(reply.status) have another `status`"
    }
    for name in ["type", "title", "detail", "instance"] {
      if let member = (try? problem[name]) ?? nil, member.kind != .string { return "`\(name)` is not a string" }
    }
    for name in ["exception", "exceptionDetails", "stack", "stackTrace", "stacktrace", "backtrace", "debug"] {
      if ((try? problem[name]) ?? nil)?.unlessNull != nil { return "problem details have the member `\(name)`" }
    }
    return nil
  }
}

extension AuditWorld {
  /// Returns the responses to malformed bodies.
  fileprivate func malformedReplies() async throws -> [ServerReply] {
    var request = try request(.signInVerify)
    request.contentType = "application/json"
    var replies: [ServerReply] = []
    for body in ["{", "[]", #"{"id":1}"#, #"{"credential":{"id":"%00"}}"#] {
      request.body = Array(body.utf8)
      replies.append(try await send(request))
    }
    return replies
  }
}

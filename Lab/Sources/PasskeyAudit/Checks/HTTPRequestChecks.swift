// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

extension Check {
  /// Methods.
  static let methodChecks: [Check] = [
    Check(
      id: "http.method-trace", title: "does not repeat requests to TRACE",
      references: ["ASVS 5.0 13.4.4", "RFC 9110 §9.3.8"], severity: .low,
      rationale: "The response shows header fields that scripts must not read.", advice: "Refuse TRACE."
    ) { (world) in
      let mark = "audit-mark-7c1f"
      let reply = try await world.exchange(
        "TRACE / HTTP/1.1\r\nHost: \(world.hostField)\r\nX-Audit: \(mark)\r\nConnection: close\r\n\r\n")
      return reply.isSuccess && reply.text.contains(mark) ? .fail("TRACE repeats the request") : .pass
    },
    Check(
      id: "http.method-wrong", title: "refuses other methods than those of the route",
      references: ["ASVS 5.0 4.1.4", "RFC 9110 §15.5.6"], severity: .low,
      rationale: "Rules of proxies and protections against CSRF depend on the method.",
      advice: "Answer 405 with Allow."
    ) { (world) in
      let path = try world.request(.signInOptions).path
      // A single-page application answers any path.
      let answersAll = try await world.send(ServerRequest("GET", "/passkey-audit-unknown")).isSuccess
      for method in ["GET", "PUT", "DELETE", "PATCH"] where method != world.profile[.signInOptions]?.method {
        if method == "GET", answersAll { continue }
        let reply = try await world.send(ServerRequest(method, path))
        if reply.isSuccess { return .fail("\(method) \(path) is answered with \(reply.status)") }
        if reply.status >= 500, reply.status != 501 {
          return .fail("\(method) \(path) causes an internal error (\(reply.status))")
        }
      }
      return .pass
    },
    Check(
      id: "http.method-override", title: "ignores fields that replace the method",
      references: ["ASVS 5.0 4.1.4"], severity: .low,
      rationale: "Such fields evade rules for methods.", advice: "Ignore X-HTTP-Method-Override and its like."
    ) { (world) in
      let session = try await world.open()
      var request = ServerRequest("POST", try world.request(.me).path)
      try world.authorize(&request, session)
      guard try world.refused(await world.send(request)) else {
        return .cannotTell("POST is answered without a field, too")
      }
      for name in ["x-http-method-override", "x-http-method", "x-method-override"] {
        request.headers.append(HeaderField(name, "GET"))
      }
      return try await world.send(request).isSuccess ? .fail("POST with an override is answered like GET") : .pass
    },
    Check(
      id: "http.safe-methods", title: "changes nothing on GET",
      references: ["ASVS 5.0 3.5.3", "RFC 9110 §9.2.1"], severity: .medium,
      rationale: "Pages, previews and prefetching cause GET requests that the user does not want.",
      advice: "Sign out by POST only."
    ) { (world) in
      let session = try await world.open()
      var request = ServerRequest("GET", try world.request(.signOut).path)
      try world.authorize(&request, session)
      _ = try await world.send(request)
      return try await world.isOpen(session) ? .pass : .fail("GET signed the user out")
    },
    Check(
      id: "http.content-type", title: "accepts JSON only as application/json",
      references: ["ASVS 5.0 3.5.2", "RFC 9110 §15.5.16"], severity: .medium,
      rationale: "A form of any site can send JSON as text/plain without a preflight request.",
      advice: "Answer 415 to other content types."
    ) { (world) in
      var request = try await world.acceptedBegin()
      if request.body.isEmpty { request.body = Array("{}".utf8) }
      for type in ["text/plain", "application/x-www-form-urlencoded"] {
        request.contentType = type
        if try world.refused(await world.send(request)) { continue }
        try await world.demandReading(of: request)
        return .fail("JSON as \(type) is accepted")
      }
      return .pass
    },
  ]

  /// The end of requests.
  static let framingChecks: [Check] = [
    framing("http.smuggling-two-lengths", "refuses two different lengths of a body") {
      "Content-Length: \($0 - 1)\r\nContent-Length: \($0)"
    },
    framing("http.smuggling-chunked", "refuses a length beside a transfer coding") {
      "Content-Length: \($0)\r\nTransfer-Encoding: chunked"
    },
    framing("http.smuggling-length-syntax", "refuses a malformed length of a body") { "Content-Length: +\($0)" },
  ]

  /// A check that sends a valid request with other fields for the length of its body.
  private static func framing(_ id: String, _ title: String, _ fields: @escaping @Sendable (Int) -> String) -> Check {
    Check(
      id: id, title: title, references: ["ASVS 5.0 4.2.1", "RFC 9112 §6.3", "RFC 9112 §11.2"], severity: .high,
      rationale:
        "A proxy and the server disagree on where the request ends, and an attacker's bytes become the request of another user.",
      advice: "Answer 400 and close the connection, or use a server that does."
    ) { (world) in
      var request = try await world.acceptedBegin()
      if request.body.isEmpty { return .cannotTell("the request that begins a sign-in has no body") }
      // JSON ends before white space, so the body has the same meaning with each of two lengths.
      request.body += Array("  ".utf8)
      let count = request.body.count
      let valid = world.head(of: request, framing: "Content-Length: \(count)")
      let control = try await world.exchange(valid, body: request.body)
      guard control.isSuccess else {
        return .cannotTell("the valid request is answered with \(control.status.map { "\($0)" } ?? "nothing")")
      }
      let reply = try await world.exchange(world.head(of: request, framing: fields(count)), body: request.body)
      guard let status = reply.status else { return .pass }
      if reply.isSuccess {
        try await world.demandReading(of: request)
        return .fail("the request is answered like the valid one (\(status))")
      }
      let isRefusal = 400..<500 ~= status && status != 429 || status == 501
      return isRefusal ? .pass : .cannotTell("the server answers with \(status) instead of refusing")
    }
  }

  /// Bodies.
  static let bodyChecks: [Check] = [
    body(
      "http.json-duplicates", "refuses JSON with two members of one name",
      ["ASVS 5.0 1.5.3", "RFC 8259 §4"], .low,
      "Two parsers take different values, so a check does not see what is used."
    ) { (text) in
      // A member again, with another value: before the right one, and after it.
      let members = (try? JSON.parse(Array(text.utf8), maximumSize: text.utf8.count).members).map { Array($0) }
      guard let name = members?.first?.name else { return [#"{"audit":1,"audit":2}"#] }
      return ["{\"\(name)\":\"audit\"," + text.dropFirst(), text.dropLast() + ",\"\(name)\":\"audit\"}"]
    },
    body(
      "http.json-nesting", "refuses deeply nested JSON as a fault of the client",
      ["ASVS 5.0 2.2.1", "RFC 8259 §9"], .medium,
      "A parser that recurses exhausts its stack and ends the process.", isRefused: false
    ) { (text) in
      let deep = String(repeating: "[", count: 8_000) + String(repeating: "]", count: 8_000)
      return [adding("\"audit\":\(deep)", to: text)]
    },
    body(
      "http.json-numbers", "reads huge numbers without an internal error", ["ASVS 5.0 2.2.1", "RFC 8259 §6"], .low,
      "A number without a limit takes memory and time.", isRefused: false
    ) { (text) in [adding("\"audit\":1e999999", to: text)] },
    body(
      "http.json-utf8", "refuses JSON with invalid UTF-8", ["ASVS 5.0 1.5.3", "RFC 8259 §8.1"], .low,
      "Programs replace invalid bytes in different ways, so two names become equal."
    ) { (text) in [adding("\"audit\":\"\u{0}\"", to: text)] },
    body(
      "http.json-trailing", "refuses bytes after the JSON", ["ASVS 5.0 1.5.3", "RFC 8259 §2"], .low,
      "Two parsers read different values from one body."
    ) { (text) in [text + "{}"] },
    Check(
      id: "http.json-nul", title: "refuses names with control characters",
      references: ["ASVS 5.0 2.2.1", "CWE-158"], severity: .low,
      rationale: "A C library ends a name at the NUL character, so that two names become equal.",
      advice: "Refuse control characters in names and addresses."
    ) { (world) in
      let name = try world.newName()
      _ = try await world.begin(.registerOptions, name: name)
      let request = try world.beginRequest(.registerOptions, name: "a\u{0}\(name)")
      let reply = try await world.send(request)
      if reply.status >= 500 { return .fail("a NUL character causes an internal error (\(reply.status))") }
      return reply.isSuccess ? .fail("a name with a NUL character was accepted") : .pass
    },
  ]

  /// A check that changes the JSON of the request that begins a sign-in in each of some ways. NUL characters stand for an invalid byte.
  private static func body(
    _ id: String, _ title: String, _ references: [String], _ severity: Severity, _ rationale: String,
    isRefused: Bool = true, changes: @escaping @Sendable (String) -> [String]
  ) -> Check {
    Check(
      id: id, title: title, references: references, severity: severity, rationale: rationale,
      advice: "Use a strict parser with limits, and answer 400."
    ) { (world) in
      var request = try await world.acceptedBegin()
      let text = String(decoding: request.body.isEmpty ? Array("{}".utf8) : request.body, as: UTF8.self)
      request.contentType = "application/json"
      for changed in changes(text) {
        request.body = changed.utf8.map { $0 == 0 ? 0xff : $0 }
        let reply = try await world.send(request)
        if reply.status >= 500 { return .fail("the body causes an internal error (\(reply.status))") }
        if isRefused, reply.isSuccess {
          try await world.demandReading(of: request)
          return .fail("the body is accepted (\(reply.status))")
        }
      }
      return .pass
    }
  }

  /// Returns a JSON object with another member.
  private static func adding(_ member: String, to text: String) -> String {
    text.count > 2 ? "\(text.dropLast()),\(member)}" : "{\(member)}"
  }
}

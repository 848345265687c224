// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Finds the endpoints of a profile in recorded messages.
struct ProfileLearner {
  private let recording: Recording
  private(set) var endpoints: [LearnedEndpoint] = []
  private(set) var notes: [String] = []

  /// The names of the user in the recorded ceremonies.
  private var names = LearnedNames()
  private var cookie: String?
  private var hasToken = false
  private var userVerification: String?
  private var residentKey: String?
  private var learned = LearnedValues()

  init(_ recording: Recording) {
    self.recording = recording
  }

  mutating func learn() {
    for message in recording.messages {
      if let options = message.response.flatMap({ CeremonyPart.creationOptions.find(in: $0) }) {
        names.add(options.value)
      }
    }
    let registration = ceremony(.creationOptions, .registration, "registration")
    // A later registration with a session adds a passkey.
    if let (begin, finish) = registration {
      let adds = begin.map { $0.carriesSession && !names.occur(in: $0.request) } ?? false
      add(begin, finish, as: adds ? "add-credential" : "register", .creationOptions, .registration)
      if adds {
        notes.append("the registration has a session: the profile describes how to add a passkey, not how to sign up")
      }
    } else {
      notes.append("no registration: an audit needs register-options and register-verify")
    }
    if let (begin, finish) = ceremony(.requestOptions, .assertion, "sign-in") {
      add(begin, finish, as: "sign-in", .requestOptions, .assertion)
      learnSession(begun: begin, from: finish)
    }
    learnOthers()
    notes += learned.notes
  }

  /// The shape of errors in a profile.
  private var errors: String {
    let refused = recording.messages.filter { $0.status.map { 400..<600 ~= $0 } ?? false }
    for message in refused.reversed() {
      guard let found = LearnedErrors(message.response) else { continue }
      let isProblem = message.responseFields["content-type"]?.hasPrefix("application/problem+json") == true
      return "{\"contentType\":\"application/\(isProblem ? "problem+json" : "json")\",\"shape\":\(found.shape)}"
    }
    return "{\"contentType\":\"application/json\",\"shape\":{\"error\":\"$error.title\"}}"
  }

  /// Returns the first request of this kind that succeeded, and the last request before it whose response has the options.
  private mutating func ceremony(
    _ optionsKind: CeremonyPart, _ credentialKind: CeremonyPart, _ name: String
  ) -> (begin: RecordedMessage?, finish: RecordedMessage)? {
    let messages = recording.messages
    let finishes = messages.indices.filter { messages[$0].finishes(credentialKind, recording.form) }
    guard let finish = finishes.first(where: { messages[$0].hasSucceeded }) ?? finishes.first else { return nil }
    if !messages[finish].hasSucceeded { notes.append("the \(name) failed with status \(messages[finish].status ?? 0)") }
    let isBeginning = { (message: RecordedMessage) in message.begins(optionsKind, recording.form) }
    var begin = messages[..<finish].last(where: isBeginning)
    // An OpenAPI document has no order.
    if begin == nil, recording.form == .openAPI { begin = messages.first(where: isBeginning) }
    // Without responses, the request before it begins the ceremony.
    if begin == nil, recording.form == .curl, finish > 0, messages[finish - 1].response == nil {
      begin = messages[finish - 1]
      notes.append(
        "\(messages[finish - 1].path): the response is not recorded; the profile assumes the options of WebAuthn Level 3"
      )
    }
    if begin == nil { notes.append("no request begins the \(name)") }
    return (begin, messages[finish])
  }

  private mutating func add(
    _ begin: RecordedMessage?, _ finish: RecordedMessage, as name: String, _ optionsKind: CeremonyPart,
    _ credentialKind: CeremonyPart
  ) {
    learned.addComputedValues(of: [begin, finish].compactMap(\.self), in: recording.messages)
    if let begin {
      var shape = LearnedShape(names: names, allowed: .names, kept: learned.variables)
      var endpoint = LearnedEndpoint(name: "\(name)-options", message: begin)
      endpoint.request = begin.request.map { shape.text(of: $0) }
      endpoint.query = shape.query(of: begin)
      let options = begin.response.flatMap { optionsKind.find(in: $0) }
      let echoes = learned.addEchoes(from: begin, to: finish, credentialKind)
      endpoint.response = LearnedResponse(options: options?.path ?? [], echoes).text
      read(options?.value, optionsKind)
      endpoints.append(endpoint)
      names.add(shape.variables)
      notes += shape.notes(on: endpoint.route)
    }
    var shape = LearnedShape(names: names, allowed: .names, kept: learned.variables)
    var endpoint = LearnedEndpoint(name: "\(name)-verify", message: finish, learned.variables)
    endpoint.query = shape.query(of: finish)
    if let request = finish.request, let credential = credentialKind.find(in: request) {
      endpoint.request = shape.text(of: request, around: credential.path)
    } else {
      endpoint.request = "\"$credential\""
      notes.append(
        "\(endpoint.route): the body is not described; the profile assumes the credential of WebAuthn Level 3")
    }
    var reply = LearnedShape(names: names, allowed: .session)
    endpoint.response = finish.response.flatMap { $0.kind == .object ? reply.response(of: $0) : nil }
    endpoints.append(endpoint)
    names.add(shape.variables)
    notes += shape.notes(on: endpoint.route)
  }

  private mutating func read(_ options: JSONValue?, _ kind: CeremonyPart) {
    guard let options else { return }
    let selection = kind == .creationOptions ? try? options["authenticatorSelection"]?.unlessNull : options
    let levels = ["discouraged", "preferred", "required"]
    func level(_ name: String) -> String? {
      (try? selection?[name]?.string).flatMap { levels.contains($0) ? $0 : nil }
    }
    if kind == .requestOptions || userVerification == nil {
      userVerification = level("userVerification") ?? userVerification
    }
    if kind == .creationOptions { residentKey = level("residentKey") ?? residentKey }
  }

  private mutating func learnSession(begun begin: RecordedMessage?, from finish: RecordedMessage) {
    hasToken = finish.response.map { LearnedShape.hasToken(in: $0) } ?? false
    let ofCeremony = Set(begin?.cookies ?? [])
    let isSession = { (name: String) in !["csrf", "xsrf"].contains(where: name.lowercased().contains) }
    // Without its response, the cookies of the last request tell.
    let later = recording.messages.last { !$0.sentCookies.isEmpty }?.sentCookies ?? []
    // Beside a token, a cookie that the beginning of the ceremony sets belongs to the ceremony.
    let own = finish.cookies.filter { isSession($0) && !(hasToken && ofCeremony.contains($0)) }
    cookie = own.last(where: later.contains) ?? own.last ?? recording.declaredCookie
    if cookie == nil, !hasToken { cookie = later.first(where: isSession) }
    if hasToken, let other = finish.cookies.first(where: ofCeremony.contains), cookie == nil {
      notes.append("the cookie \(other) belongs to the ceremony: the session is in the token")
    }
    if cookie == nil, !hasToken {
      notes.append(
        """
        the response of the sign-in has no cookie and no token: if it opens a session, add deliveries and the cookie to \
        sessions
        """)
    }
    if cookie != nil, recording.messages.contains(where: { $0.cookies.contains { $0.lowercased().contains("csrf") } }) {
      if learned.computed["csrf"] == nil {
        notes.append(
          "the server sets a cookie against CSRF, and no request sends it back: if others must, add it to values and headers"
        )
      }
    }
  }

  /// Finds the endpoints of a session by the words of their paths.
  private mutating func learnOthers() {
    guard cookie != nil || hasToken else { return }
    let used = Set(endpoints.map(\.route))
    let rest = recording.messages.filter { $0.hasSucceeded && !used.contains("\($0.method) \($0.path)") }
    func last(_ methods: Set<String>, _ words: Set<String>) -> RecordedMessage? {
      rest.last { (message) in
        let parts = message.path.lowercased().split(separator: "/").last.map { $0.filter { !"-_".contains($0) } } ?? ""
        return methods.contains(message.method) && words.contains(parts)
      }
    }
    if let me = last(["GET"], ["me", "whoami", "profile", "user", "session", "account", "userinfo", "currentuser"]) {
      var endpoint = LearnedEndpoint(name: "me", message: me)
      var shape = LearnedShape(names: names, allowed: .names)
      endpoint.response = me.response.flatMap { shape.response(of: $0) }.flatMap { $0 == "{}" ? nil : $0 }
      endpoints.append(endpoint)
    } else {
      notes.append(
        "no request shows who is signed in: add the endpoint me, without which an audit cannot judge sessions")
    }
    if let end = last(["POST", "DELETE", "GET"], ["logout", "signout", "logoff", "goodbye"]) {
      endpoints.append(LearnedEndpoint(name: "sign-out", message: end))
    } else {
      notes.append(
        "no request signs out: add the endpoint sign-out, without which an audit cannot judge the end of sessions")
    }
    if let erase = last(["DELETE"], ["account", "me", "user"]) {
      endpoints.append(LearnedEndpoint(name: "erase-account", message: erase))
    } else {
      notes.append("no request deletes the account: accounts that an audit makes remain")
    }
  }

  /// Returns the profile as formatted JSON.
  func profile(named name: String) -> [UInt8] {
    let hasAddress = names.kinds.contains("$account.email")
    // Every profile names its accounts.
    let hasUserName = names.kinds.contains("$account.username") || !hasAddress
    let deliveries = (cookie == nil ? [] : ["cookie"]) + (hasToken ? ["bearer"] : [])
    var sessions = "\"deliveries\":[\(deliveries.map(JSONText.string).joined(separator: ","))]"
    if let cookie { sessions += ",\"cookie\":\(cookieText(cookie))" }
    var ceremonies = residentKey.map { ["\"residentKey\":\"\($0)\""] } ?? []
    ceremonies += userVerification.map { ["\"userVerification\":\"\($0)\""] } ?? []
    let text = """
      {"name":\(JSONText.string(name)),\
      "description":"Learned from a recording (\(recording.form.rawValue)).",\
      "identifiers":{"username":"\(hasUserName ? "required" : "none")","email":"\(hasAddress ? "required" : "none")"},\
      "ceremonies":{\(ceremonies.joined(separator: ","))},\
      "sessions":{\(sessions)},\(learned.members)\
      "errors":\(errors),\
      "endpoints":{\(endpoints.map { "\(JSONText.string($0.name)):\($0.text)" }.joined(separator: ","))}}
      """
    guard let value = try? JSON.parse(text, maximumSize: 1 << 20) else { return [UInt8](text.utf8) }
    return JSON.write(.value(value), .pretty) + [UInt8(ascii: "\n")]
  }

  private func cookieText(_ name: String) -> String {
    let prefix = "__Host-"
    let isHost = name.hasPrefix(prefix)
    let plain = isHost ? String(name.dropFirst(prefix.count)) : name
    return "{\"name\":\(JSONText.string(plain)),\"prefix\":\"\(isHost ? "host" : "none")\"}"
  }
}

/// An endpoint of a learned profile.
struct LearnedEndpoint {
  let name: String
  let route: String
  var request: String?
  var query: String?
  var response: String?

  /// Creates an endpoint. A segment of the path that is the text of a variable becomes `{ceremony.NAME}`.
  init(name: String, message: RecordedMessage, _ variables: [String: String] = [:]) {
    self.name = name
    let segments = message.path.split(separator: "/", omittingEmptySubsequences: false).map { (segment) in
      let variable = variables[RecordedMessage.unescaped(String(segment))]
      return variable.flatMap { $0.hasPrefix("$ceremony.") ? "{\($0.dropFirst())}" : nil } ?? String(segment)
    }
    route = "\(message.method) \(segments.joined(separator: "/"))"
  }

  /// The endpoint in a profile.
  var text: String {
    var parts = ["\"route\":\(JSONText.string(route))"]
    if let query { parts.append("\"query\":\(query)") }
    if let request { parts.append("\"request\":\(request)") }
    if let response { parts.append("\"response\":\(response)") }
    return "{\(parts.joined(separator: ","))}"
  }
}

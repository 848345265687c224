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
      learnSession(from: finish)
    }
    learnOthers()
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
    if let begin {
      var shape = LearnedShape(names: names, allowed: .names)
      var endpoint = LearnedEndpoint(name: "\(name)-options", message: begin)
      endpoint.request = begin.request.map { shape.text(of: $0) }
      if begin.target.contains("?") { endpoint.query = shape.query(of: begin.target) }
      let options = begin.response.flatMap { optionsKind.find(in: $0) }
      endpoint.response = LearnedShape.text(around: options?.path ?? [], "$options")
      read(options?.value, optionsKind)
      endpoints.append(endpoint)
      names.add(shape.variables)
      notes += shape.notes(on: endpoint.route)
      notes += Self.echoes(from: begin, to: finish, credentialKind)
    }
    var shape = LearnedShape(names: names, allowed: .names)
    var endpoint = LearnedEndpoint(name: "\(name)-verify", message: finish)
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

  /// Notes about members that a client has to send back, which a profile cannot describe.
  private static func echoes(
    from begin: RecordedMessage, to finish: RecordedMessage, _ kind: CeremonyPart
  ) -> [String] {
    guard let response = begin.response, let request = finish.request else { return [] }
    let options = CeremonyPart.all.compactMap { $0.find(in: response)?.path }.first ?? []
    let sent = JSONStrings.all(in: response, except: options)
    let credential = kind.find(in: request)?.path ?? []
    return JSONStrings.all(in: request, except: credential).filter { (returned) in
      returned.text.utf8.count >= 8 && sent.contains { $0.text == returned.text }
    }.map { (returned) in
      """
      \(finish.path): \(returned.path) repeats a value of the response of \(begin.path), which a profile cannot describe; \
      bind the ceremony to a cookie instead
      """
    }
  }

  private mutating func learnSession(from finish: RecordedMessage) {
    let isSession = { (name: String) in !["csrf", "xsrf"].contains(where: name.lowercased().contains) }
    // Without its response, the cookies of the last request tell.
    cookie =
      finish.cookies.last(where: isSession) ?? recording.declaredCookie
      ?? recording.messages.last { !$0.sentCookies.isEmpty }?.sentCookies.first(where: isSession)
    hasToken = finish.response.map { LearnedShape.hasToken(in: $0) } ?? false
    if cookie == nil, !hasToken {
      notes.append(
        """
        the response of the sign-in has no cookie and no token: if it opens a session, add deliveries and the cookie to \
        sessions
        """)
    }
    if cookie != nil, recording.messages.contains(where: { $0.cookies.contains { $0.lowercased().contains("csrf") } }) {
      notes.append(
        "the server sets a cookie against CSRF: clients that must send its value in a field cannot use the profile")
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
      "sessions":{\(sessions)},\
      "errors":{"contentType":"application/json","shape":{"error":"$error.title"}},\
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

  init(name: String, message: RecordedMessage) {
    self.name = name
    route = "\(message.method) \(message.path)"
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

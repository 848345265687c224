// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The names of the user that ceremonies carry.
struct LearnedNames {
  private(set) var users: Set<String> = []
  private(set) var displayNames: Set<String> = []
  /// The variables that occurred: `$account.username`, `$account.email` and others.
  private(set) var kinds: Set<String> = []

  /// Adds variables that occurred in a request.
  mutating func add(_ variables: Set<String>) { kinds.formUnion(variables) }

  /// Adds the names in creation options.
  mutating func add(_ options: JSONValue) {
    guard let user = try? options["user"], user.kind == .object else { return }
    if let name = try? user["name"]?.string { users.insert(name) }
    if let name = try? user["displayName"]?.string { displayNames.insert(name) }
    add(Set(users.map { $0.contains("@") ? "$account.email" : "$account.username" }))
  }

  /// Whether a request has one of the names.
  func occur(in request: JSONValue?) -> Bool {
    guard let request else { return false }
    return JSONStrings.all(in: request, except: []).contains { (string) in
      users.contains(string.text) || variable(of: string.path, string.text) != nil
    }
  }

  /// Returns the variable of a member of a response; nil if its value is not the recorded name of the user.
  fileprivate func owner(_ member: String, _ value: String) -> String? {
    if users.contains(value) { return value.contains("@") ? "$account.email" : "$account.username" }
    // In the samples of an OpenAPI document, a string is the name of its member.
    return value == member && ["username", "email"].contains(member) ? "$account.\(member)" : nil
  }

  /// Returns the variable of a member of a request; nil if it carries no name of the user.
  fileprivate func variable(of member: String, _ value: String) -> String? {
    let member = member.lowercased().filter { !"_-".contains($0) }
    if member.hasPrefix("displayname") || member == "fullname" { return "$account.displayName" }
    if member.contains("email") || users.contains(value) && value.contains("@") { return "$account.email" }
    if users.contains(value)
      || ["username", "user", "login", "userid", "handle", "nickname", "account"].contains(member)
    {
      return value.contains("@") ? "$account.email" : "$account.username"
    }
    if member == "name" { return displayNames.contains(value) ? "$account.displayName" : "$account.username" }
    return nil
  }
}

/// The shape of a message, derived from one sample.
struct LearnedShape {
  /// The variables that may occur.
  enum Allowed { case names, session }

  static let standardMembers: Set<String> = [
    "id", "rawId", "response", "type", "authenticatorAttachment", "clientExtensionResults", "transports", "challenge",
    "rpId", "rp", "user", "allowCredentials", "excludeCredentials", "pubKeyCredParams", "userVerification", "timeout",
    "attestation", "authenticatorSelection", "extensions", "hints",
  ]

  private let names: LearnedNames
  private let allowed: Allowed
  private var constants: [String] = []
  /// The variables that occurred.
  private(set) var variables: Set<String> = []

  /// The variables of texts that the client sends back.
  private let kept: [String: String]

  init(names: LearnedNames, allowed: Allowed, kept: [String: String] = [:]) {
    self.names = names
    self.allowed = allowed
    self.kept = kept
  }

  /// Notes about members that the client sends unchanged.
  func notes(on route: String) -> [String] {
    constants.map { "\(route): the member \($0) is a constant; replace it if its value varies" }
  }

  /// Returns the shape of a request. `path` leads to the credential, if the request has one.
  mutating func text(of value: JSONValue, around path: [String]? = nil) -> String {
    text(of: value, around: path, at: [])
  }

  private mutating func text(of value: JSONValue, around path: [String]?, at place: [String]) -> String {
    switch value.kind {
    case .object:
      guard let members = try? value.members else { return "{}" }
      var parts: [String] = []
      if path == [] {
        let extra = members.filter { !Self.standardMembers.contains($0.name) }
        if extra.isEmpty { return "\"$credential\"" }
        parts.append("\"...\":\"$credential\"")
        parts += extra.map { (member) in part(member, nil, place) }
      } else {
        for member in members {
          let inner = path.flatMap { $0.first == member.name ? Array($0.dropFirst()) : nil }
          parts.append(part(member, inner, place))
        }
      }
      return "{\(parts.joined(separator: ","))}"
    case .string:
      let text = (try? value.string) ?? ""
      if let variable = kept[text] { return JSONText.string(variable) }
      if let variable = names.variable(of: place.last ?? "", text) {
        variables.insert(variable)
        return "\"\(variable)\""
      }
      constants.append(place.joined(separator: "."))
      // A dollar sign begins a variable.
      return JSONText.string(text.hasPrefix("$") ? "$" + text : text)
    default:
      constants.append(place.joined(separator: "."))
      return String(decoding: value.encoded, as: UTF8.self)
    }
  }

  private mutating func part(_ member: JSONMembers.Member, _ path: [String]?, _ place: [String]) -> String {
    "\(JSONText.string(member.name)):\(text(of: member.value, around: path, at: place + [member.name]))"
  }

  /// Returns the shape of a query; nil without one.
  mutating func query(of message: RecordedMessage) -> String? {
    let parts = message.parameters.map { (name, value) in
      if let variable = kept[value] { return "\(JSONText.string(name)):\"\(variable)\"" }
      guard let variable = names.variable(of: name, value) else {
        constants.append("\(name) of the query")
        return "\(JSONText.string(name)):\(JSONText.string(value.hasPrefix("$") ? "$" + value : value))"
      }
      variables.insert(variable)
      return "\(JSONText.string(name)):\"\(variable)\""
    }
    return parts.isEmpty ? nil : "{\(parts.joined(separator: ","))}"
  }

  private static func sessionVariable(of member: String) -> String? {
    switch member.lowercased().filter({ !"_-".contains($0) }) {
    case "token", "accesstoken", "sessiontoken", "jwt", "bearer", "idtoken", "authtoken": "$session.token"
    case "refreshtoken": "$session.refreshToken"
    case "expiresin": "$session.expiresIn"
    default: nil
    }
  }

  /// Returns the shape of the tokens, or of the user's names, in a response; an empty object if it has none.
  mutating func response(of value: JSONValue) -> String? {
    guard value.kind == .object, let members = try? value.members else { return nil }
    let parts = members.compactMap { (member) -> String? in
      if member.value.kind == .object {
        let inner = response(of: member.value)
        return inner.flatMap { $0 == "{}" ? nil : "\(JSONText.string(member.name + "?")):\($0)" }
      }
      let variable =
        switch allowed {
        case .session: Self.sessionVariable(of: member.name)
        case .names: (try? member.value.string).flatMap { names.owner(member.name, $0) }
        }
      guard let variable else { return nil }
      return "\(JSONText.string(member.name + "?")):\"\(variable)\""
    }
    return "{\(parts.joined(separator: ","))}"
  }

  /// Whether a response has an access token.
  static func hasToken(in value: JSONValue) -> Bool {
    guard value.kind == .object, let members = try? value.members else { return false }
    return members.contains { (member) in
      member.value.kind == .object
        ? hasToken(in: member.value)
        : member.value.kind == .string && sessionVariable(of: member.name) == "$session.token"
    }
  }
}

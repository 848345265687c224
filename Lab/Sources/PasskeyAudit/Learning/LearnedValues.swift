// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles

/// The values of a recording that clients send back: those of a ceremony, and tokens against CSRF.
struct LearnedValues {
  /// The variables of texts in the requests that were read.
  private(set) var variables: [String: String] = [:]

  /// The computed values in a profile, by name.
  private(set) var computed: [String: String] = [:]

  /// The header fields to send, by name.
  private(set) var fields: [String: String] = [:]

  private(set) var notes: [String] = []

  // 8 bytes  [shorter texts repeat by chance]
  private static let minimumByteCount = 8

  // MARK: Ceremonies

  /// Finds the values of a response that the end of a ceremony sends back.
  ///
  /// - Returns: The paths of the values in the response, with their variables.
  mutating func addEchoes(
    from begin: RecordedMessage, to finish: RecordedMessage, _ credential: CeremonyPart
  ) -> [(path: [String], variable: String)] {
    guard let response = begin.response else { return [] }
    let own = finish.request.flatMap { credential.find(in: $0)?.path }
    var returned = Set(finish.request.map { Self.texts(in: $0, except: own).map(\.text) } ?? [])
    returned.formUnion(finish.path.split(separator: "/").map { RecordedMessage.unescaped(String($0)) })
    returned.formUnion(finish.parameters.map(\.value))
    returned.formUnion(finish.fields.values)
    var echoes: [(path: [String], variable: String)] = []
    for (path, text) in Self.texts(in: response, except: nil)
    where text.utf8.count >= Self.minimumByteCount && returned.contains(text) && variables[text] == nil {
      let variable = "$ceremony.\(Self.name(path.last ?? "value", unlike: echoes.map(\.variable)))"
      variables[text] = variable
      echoes.append((path, variable))
    }
    for (name, text) in finish.fields {
      if let variable = variables[text], variable.hasPrefix("$ceremony.") { fields[name] = variable }
    }
    return echoes
  }

  private static func name(_ member: String, unlike variables: [String]) -> String {
    let plain = String(
      member.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.prefix(60))
    let base = plain.isEmpty ? "value" : plain
    guard variables.contains("$ceremony.\(base)") else { return base }
    return (2...).lazy.map { "\(base)\($0)" }.first { !variables.contains("$ceremony.\($0)") } ?? base
  }

  /// Returns all strings with their paths, except those in the object at `excluded`.
  private static func texts(
    in value: JSONValue, except excluded: [String]?, at place: [String] = []
  ) -> [(path: [String], text: String)] {
    guard place != excluded, place.count <= 8 else { return [] }
    if value.kind == .string { return [(place, (try? value.string) ?? "")] }
    guard let members = try? value.members else { return [] }
    return members.flatMap { texts(in: $0.value, except: excluded, at: place + [$0.name]) }
  }

  // MARK: Values of header fields

  /// Finds tokens against CSRF and keys of an API in requests.
  mutating func addComputedValues(of messages: [RecordedMessage], in recording: [RecordedMessage]) {
    for message in messages {
      for (name, text) in message.fields.sorted(by: { $0.key < $1.key }) where fields[name] == nil {
        if name.contains("csrf") || name.contains("xsrf") {
          addToken(text, of: message, in: recording, "the field \(name)")
          if let variable = variables[text] { fields[name] = variable }
        } else if name.replacing("-", with: "").contains("apikey") {
          computed["key"] = "{\"environment\":\"API_KEY\"}"
          fields[name] = "$value.key"
          notes.append(
            "the field \(name) has a key: set $API_KEY to it, or name another environment variable in values")
        } else if name == "x-requested-with" {
          fields[name] = text
        }
      }
      guard let request = message.request else { continue }
      for (path, text) in Self.texts(in: request, except: nil) {
        let member = (path.last ?? "").lowercased()
        guard member.contains("csrf") || member.contains("xsrf") || member == "_token" else { continue }
        addToken(text, of: message, in: recording, "the member \(path.joined(separator: "."))")
      }
    }
  }

  private mutating func addToken(
    _ text: String, of message: RecordedMessage, in recording: [RecordedMessage], _ place: String
  ) {
    guard !text.isEmpty, variables[text] == nil else { return }
    guard let source = Self.source(of: text, for: message, in: recording) else {
      notes.append("\(message.path): \(place) is a token whose source is not recorded: add it to values")
      return
    }
    computed["csrf"] = source
    variables[text] = "$value.csrf"
  }

  private static func source(
    of text: String, for message: RecordedMessage, in recording: [RecordedMessage]
  ) -> String? {
    let reads = recording.filter { $0.method == "GET" }
    if let cookie = message.sentCookieValues.first(where: { $0.value == text })?.key {
      let from = reads.first { $0.cookies.contains(cookie) }.map { ",\"from\":\(JSONText.string("GET \($0.target)"))" }
      return "{\"cookie\":\(JSONText.string(cookie))\(from ?? "")}"
    }
    for read in reads {
      let from = "\"from\":\(JSONText.string("GET \(read.target)"))"
      if let field = read.responseFields.first(where: { $0.value == text })?.key {
        return "{\"header\":\(JSONText.string(field)),\(from)}"
      }
      if let response = read.response,
        let path = texts(in: response, except: nil).first(where: { $0.text == text })?.path
      {
        return "{\"json\":\(JSONText.string(path.joined(separator: "."))),\(from)}"
      }
      if let page = read.page, let name = ComputedValue.elementName(ofValue: text, in: page) {
        return "{\"page\":\(JSONText.string(name)),\(from)}"
      }
    }
    return nil
  }

  // MARK: The profile

  /// The members `values` and `headers` of a profile, each with a comma behind it.
  var members: String {
    func object(_ members: [String: String], _ write: (String) -> String) -> String {
      members.sorted { $0.key < $1.key }.map { "\(JSONText.string($0.key)):\(write($0.value))" }.joined(separator: ",")
    }
    var text = ""
    if !computed.isEmpty { text += "\"values\":{\(object(computed) { $0 })}," }
    if !fields.isEmpty { text += "\"headers\":{\"send\":{\(object(fields) { JSONText.string($0) })}}," }
    return text
  }
}

/// The shape of a response that begins a ceremony: its options, and values that the client sends back.
struct LearnedResponse {
  private let options: [String]
  private let echoes: [(path: [String], variable: String)]

  init(options: [String], _ echoes: [(path: [String], variable: String)]) {
    (self.options, self.echoes) = (options, echoes)
  }

  var text: String { text(at: []) }

  private func text(at place: [String]) -> String {
    if let echo = echoes.first(where: { $0.path == place }) { return JSONText.string(echo.variable) }
    var names: [String] = []
    for path in echoes.map(\.path) + [options] where path.count > place.count && path.starts(with: place) {
      if !names.contains(path[place.count]) { names.append(path[place.count]) }
    }
    let isOptions = place == options
    if isOptions, names.isEmpty { return "\"$options\"" }
    let spread = isOptions ? ["\"...\":\"$options\""] : []
    let members = names.map { "\(JSONText.string($0)):\(text(at: place + [$0]))" }
    return "{\((spread + members).joined(separator: ","))}"
  }
}

/// The shape of errors, derived from a refused request.
struct LearnedErrors {
  private var variables: Set<String> = []
  private(set) var shape = ""

  /// Returns nil if the body is no object with a text or a code.
  init?(_ body: JSONValue?) {
    guard let body, body.kind == .object, let text = object(body, depth: 0), !variables.isEmpty else { return nil }
    shape = text
  }

  private mutating func object(_ object: JSONValue, depth: Int) -> String? {
    guard let members = try? object.members, depth < 3 else { return nil }
    let names = members.map { $0.name.lowercased() }
    let parts = members.compactMap { (member) -> String? in
      if member.value.kind == .object {
        return self.object(member.value, depth: depth + 1).map { "\(JSONText.string(member.name)):\($0)" }
      }
      guard let variable = variable(member, names), variables.insert(variable).inserted else { return nil }
      return "\(JSONText.string(member.name)):\"\(variable)\""
    }
    return parts.isEmpty ? nil : "{\(parts.joined(separator: ","))}"
  }

  private func variable(_ member: JSONMembers.Member, _ names: [String]) -> String? {
    let name = member.name.lowercased().filter { !"_-".contains($0) }
    if member.value.kind == .number { return ["status", "statuscode"].contains(name) ? "$error.status" : nil }
    guard member.value.kind == .string else { return nil }
    switch name {
    case "code", "errorcode": return "$error.code"
    // Beside a text, the short word is the code, as in OAuth.
    case "error" where names.contains { ["message", "error_description", "detail"].contains($0) }: return "$error.code"
    case "error", "message", "title", "detail", "errordescription", "description", "text", "reason", "msg":
      return "$error.title"
    case "requestid", "traceid": return "$error.requestId"
    default: return nil
    }
  }
}

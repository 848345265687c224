// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Sample messages of an OpenAPI document: its schemas as JSON values whose strings are the names of the members.
struct OpenAPIMessages {
  private let document: JSONValue

  /// 12 levels of schemas in schemas  [a credential is on level 3; a schema may contain itself]
  private static let maximumDepth = 12

  /// 4,000 values in one message  [a message of a ceremony has 60]
  private static let maximumValueCount = 4000

  init(_ document: JSONValue) {
    self.document = document
  }

  func messages(of paths: JSONValue) throws(WireError) -> [RecordedMessage] {
    var messages: [RecordedMessage] = []
    let root = serverPath
    for path in try paths.members {
      guard path.value.kind == .object else { continue }
      for operation in try path.value.members
      where ["get", "post", "put", "patch", "delete"].contains(operation.name) && operation.value.kind == .object {
        var message = RecordedMessage(method: operation.name.uppercased(), target: root + path.name)
        message.request = try sample(ofContentIn: operation.value["requestBody"])
        if let responses = try operation.value["responses"]?.unlessNull {
          let success = try responses.members.first { $0.name.hasPrefix("2") }
          message.status = success.flatMap { Int($0.name) }
          message.response = try sample(ofContentIn: success?.value)
        }
        if let security = try operation.value["security"]?.unlessNull, security.kind == .array,
          try security.array.contains(where: { $0.kind == .object && ((try? $0.members.first { _ in true }) != nil) })
        {
          message.fields["authorization"] = ""
        }
        messages.append(message)
        guard messages.count < Recording.maximumMessageCount else { return messages }
      }
    }
    return messages
  }

  /// The name of the first cookie in the security schemes.
  var sessionCookie: String? {
    guard let schemes = try? document["components"]?["securitySchemes"]?.members else { return nil }
    for scheme in schemes.map({ resolved($0.value) }) where scheme.kind == .object {
      guard (try? scheme["type"]?.string) == "apiKey", (try? scheme["in"]?.string) == "cookie" else { continue }
      if let name = try? scheme["name"]?.string { return name }
    }
    return nil
  }

  /// The path of the first server, without a slash at its end.
  private var serverPath: String {
    guard let server = try? document["servers"]?.array.first(where: { _ in true }), let url = try? server["url"]?.string
    else { return "" }
    let target = url.hasPrefix("/") || url.contains("://") ? RecordedMessage.target(of: url) : ""
    return target.hasSuffix("/") ? String(target.dropLast()) : target
  }

  private func sample(ofContentIn part: JSONValue?) throws(WireError) -> JSONValue? {
    guard let part = part.map(resolved), part.kind == .object, let content = try part["content"]?.unlessNull,
      let schema = try content.members.first(where: { $0.name.contains("json") })?.value["schema"]
    else { return nil }
    var count = 0
    let text = sample(of: schema, named: "", depth: 0, &count)
    return try? JSON.parse(text, maximumSize: 1 << 20)
  }

  /// Follows references within the document.
  private func resolved(_ schema: JSONValue) -> JSONValue {
    var schema = schema
    for _ in 0..<Self.maximumDepth {
      guard schema.kind == .object, let reference = try? schema["$ref"]?.string, reference.hasPrefix("#/") else {
        break
      }
      var place = document
      for part in reference.dropFirst(2).split(separator: "/") {
        let name = part.replacing("~1", with: "/").replacing("~0", with: "~")
        guard let next = try? place[String(name)] else { return schema }
        place = next
      }
      schema = place
    }
    return schema
  }

  /// The members of an object's schema, with those of `allOf`; nil for the schema of another type.
  private func members(of schema: JSONValue, depth: Int) -> [(name: String, schema: JSONValue)]? {
    let schema = resolved(schema)
    guard schema.kind == .object, depth < Self.maximumDepth else { return nil }
    var found: [(name: String, schema: JSONValue)]?
    for part in ((try? schema["allOf"]?.array).flatMap { $0.map { Array($0) } } ?? []) {
      found = (found ?? []) + (members(of: part, depth: depth + 1) ?? [])
    }
    if let properties = try? schema["properties"]?.members {
      found = (found ?? []) + properties.map { ($0.name, $0.value) }
    }
    // Of several forms, the first one.
    for name in ["anyOf", "oneOf"] where found == nil {
      found =
        ((try? schema[name]?.array).flatMap { $0.map { Array($0) } } ?? []).lazy
        .compactMap { members(of: $0, depth: depth + 1) }.first
    }
    var names: Set<String> = []
    return found?.filter { names.insert($0.name).inserted }
  }

  /// Returns the text of a sample. A string of the sample is the name of its member.
  private func sample(of schema: JSONValue, named name: String, depth: Int, _ count: inout Int) -> String {
    count += 1
    guard count < Self.maximumValueCount, depth < Self.maximumDepth else { return "null" }
    if let members = members(of: schema, depth: depth) {
      var parts: [String] = []
      for member in members {
        let value = sample(of: member.schema, named: member.name, depth: depth + 1, &count)
        parts.append("\(JSONText.string(member.name)):\(value)")
      }
      return "{\(parts.joined(separator: ","))}"
    }
    let schema = resolved(schema)
    return switch schema.kind == .object ? try? schema["type"]?.string : nil {
    case "array": "[]"
    case "integer", "number": "0"
    case "boolean": "false"
    default: JSONText.string(name)
    }
  }
}

/// JSON text built from parts.
enum JSONText {
  static func string(_ text: String) -> String { String(decoding: JSON.write(.string(text)), as: UTF8.self) }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats

/// The JSON that a client decodes, judged as strictly as Swift's `JSONDecoder`: every member of the shape must be there,
/// must not be null and must have its type. Further members of the reply are ignored.
struct ReplyShape {
  /// The values that shapes have captured, by name.
  private(set) var captured: [String: String] = [:]

  /// The faults of a body, each with its place; empty if a client can decode it.
  mutating func faults(of body: String, against shape: String) throws -> [String] {
    let expected = try JSON.parse(shape)
    guard !body.isEmpty else { return ["the body is empty"] }
    guard let found = try? JSON.parse(Array(body.utf8)[...], maximumSize: 1 << 20) else {
      return ["the body is not JSON"]
    }
    return try faults(of: found, expected, at: "$")
  }

  /// Stores a value for placeholders.
  mutating func capture(_ name: String, _ value: String) { captured[name] = value }

  /// The fault of a text against a pattern such as `{{token: text}}`, or nil if it matches.
  mutating func fault(of text: String, _ pattern: String) -> String? {
    guard let (name, type) = Self.placeholder(pattern) else {
      return text == pattern ? nil : "\(text) instead of \(pattern)"
    }
    guard let isValid = Self.texts[type] else { return "\(text) instead of \(type)" }
    guard isValid(text) else { return "\(text) is not \(type)" }
    if let name { captured[name] = text }
    return nil
  }

  private mutating func faults(of found: JSONValue, _ expected: JSONValue, at place: String) throws -> [String] {
    switch expected.kind {
    case .object:
      guard found.kind == .object else { return ["\(place) is not an object"] }
      var faults: [String] = []
      for member in try expected.members {
        let isOptional = member.name.hasSuffix("?")
        let name = isOptional ? String(member.name.dropLast()) : member.name
        let path = "\(place).\(name)"
        guard let value = try found[name] else {
          if !isOptional { faults.append("\(path) is missing") }
          continue
        }
        if isOptional, value.isNull { continue }
        faults += try self.faults(of: value, member.value, at: path)
      }
      return faults
    case .array:
      guard found.kind == .array else { return ["\(place) is not an array"] }
      let elements = Array(try found.array)
      guard let shape = Array(try expected.array).first else {
        return elements.isEmpty ? [] : ["\(place) is not empty"]
      }
      guard !elements.isEmpty else { return ["\(place) is empty"] }
      return try elements.enumerated().flatMap { (index, element) in
        try faults(of: element, shape, at: "\(place)[\(index)]")
      }
    case .string: return try textFaults(of: found, expected.string, at: place)
    case .bool, .number, .null:
      return found.encoded.elementsEqual(expected.encoded)
        ? [] : ["\(place) is not \(String(decoding: expected.encoded, as: UTF8.self))"]
    }
  }

  private mutating func textFaults(of found: JSONValue, _ pattern: String, at place: String) throws -> [String] {
    guard !found.isNull else { return ["\(place) is null"] }
    if let (_, type) = Self.placeholder(pattern), let isValid = Self.values[type] {
      return isValid(found) ? [] : ["\(place) is not \(type)"]
    }
    guard let text = try? found.string else { return ["\(place) is not a string"] }
    if let (name, type) = Self.placeholder(pattern) {
      if name == nil, let value = captured[type] {
        return text == value ? [] : ["\(place) is \(text) instead of \(value)"]
      }
      if type.contains("|") {
        return type.split(separator: "|").contains(text[...]) ? [] : ["\(place) is \(text), none of \(type)"]
      }
    }
    return fault(of: text, pattern).map { ["\(place): \($0)"] } ?? []
  }

  /// Splits `{{name: type}}` or `{{type}}`.
  private static func placeholder(_ pattern: String) -> (name: String?, type: String)? {
    guard pattern.hasPrefix("{{"), pattern.hasSuffix("}}") else { return nil }
    let content = pattern.dropFirst(2).dropLast(2)
    let parts = content.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : (nil, String(content))
  }

  /// The types of JSON strings.
  private static let texts: [String: @Sendable (String) -> Bool] = [
    "string": { _ in true },
    "text": { !$0.isEmpty },
    "base64url": { !$0.isEmpty && (try? Base64URL.decode($0)) != nil },
    "date": { isDate($0) },
    "uuid": { isUUID($0) },
  ]

  /// The other types.
  private static let values: [String: @Sendable (JSONValue) -> Bool] = [
    "bool": { $0.kind == .bool },
    "integer": { (try? $0.int64) != nil },
    "object": { $0.kind == .object },
    "strings": { (value) in
      guard let elements = try? value.array else { return false }
      return elements.allSatisfy { $0.kind == .string }
    },
  ]

  /// Swift's `.iso8601` accepts no fractions of seconds.
  private static func isDate(_ text: String) -> Bool {
    text.utf8.count == 20 && text.hasSuffix("Z") && (try? UnixTime(rfc3339: text)) != nil
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit } }
  }
}

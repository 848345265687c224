// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The place of a value in a JSON document (RFC 6901).
package struct JSONPointer: Sendable, CustomStringConvertible {
  package let description: String
  private let tokens: [String]

  /// - Throws: `proxy.invalid-rule` if the text is not a pointer to a member or an element.
  init(_ text: String) throws(FaultProxyError) {
    guard text.hasPrefix("/") else {
      throw FaultProxyError(.invalidRule, "\"\(text)\" is not a JSON pointer such as /user/name")
    }
    description = text
    tokens = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { (token) -> String in
      String(token).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  /// Returns the document with another value at this place, which is JSON text, or without the member or element. Members that
  /// are missing on the way are not added; the last one is. Returns nil if the document has no such place.
  func replacing(in document: JSONValue, with value: [UInt8]?) -> [UInt8]? {
    Self.replace(tokens[...], in: document, with: value)
  }

  private static func replace(
    _ tokens: ArraySlice<String>, in document: JSONValue, with value: [UInt8]?
  ) -> [UInt8]? {
    guard let token = tokens.first else { return value }
    let rest = tokens.dropFirst()
    switch document.kind {
    case .object:
      guard let members = try? document.members else { return nil }
      return replace(token, rest, in: Array(members), with: value)
    case .array:
      guard let elements = try? document.array, let index = Int(token) else { return nil }
      return replace(index, rest, in: Array(elements), with: value)
    default: return nil
    }
  }

  private static func replace(
    _ name: String, _ rest: ArraySlice<String>, in members: [JSONMembers.Member], with value: [UInt8]?
  ) -> [UInt8]? {
    var parts: [[UInt8]] = []
    var isFound = false
    for member in members {
      var text = Array(member.value.encoded)
      if member.name == name {
        isFound = true
        if rest.isEmpty, value == nil { continue }
        guard let changed = replace(rest, in: member.value, with: value) else { return nil }
        text = changed
      }
      parts.append(JSON.write(.string(member.name)) + [UInt8(ascii: ":")] + text)
    }
    if !isFound {
      guard rest.isEmpty, let value else { return nil }
      parts.append(JSON.write(.string(name)) + [UInt8(ascii: ":")] + value)
    }
    return [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
  }

  private static func replace(
    _ index: Int, _ rest: ArraySlice<String>, in elements: [JSONValue], with value: [UInt8]?
  ) -> [UInt8]? {
    guard elements.indices.contains(index) else { return nil }
    var parts = elements.map { Array($0.encoded) }
    if rest.isEmpty, value == nil {
      parts.remove(at: index)
    } else {
      guard let changed = replace(rest, in: elements[index], with: value) else { return nil }
      parts[index] = changed
    }
    return [UInt8(ascii: "[")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }
}

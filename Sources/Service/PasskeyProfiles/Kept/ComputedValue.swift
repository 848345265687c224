// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A value that a client computes before a request: an API key of the environment, or a token against CSRF.
package struct ComputedValue: Hashable, Sendable {
  /// The place of the value.
  package enum Source: Hashable, Sendable {
    /// An environment variable of the client.
    case environment(String)
    /// The cookie with this name, with or without the prefix `__Host-` or `__Secure-`.
    case cookie(String)
    /// The header field with this name, in lower case, of the response to ``ComputedValue/from``.
    case header(String)
    /// The member at this path of the JSON response to ``ComputedValue/from``. A number selects the element of an array.
    case json([String])
    /// The element `meta`, `input` or `script` with this name in the page that answers ``ComputedValue/from``.
    case page(String)
  }

  /// The place of the value.
  package let source: Source

  /// The path, with its query, that the client gets with `GET` for the value; nil without a request.
  package let from: String?

  /// The value of the environment variable, once it was read.
  package var fixed: String? { secret.text }

  fileprivate var secret = Secret()

  /// A text that is not printed.
  fileprivate struct Secret: Hashable, Sendable, CustomReflectable {
    var text: String?

    var customMirror: Mirror { Mirror(self, children: [:]) }
  }
}

extension ServiceProfile {
  /// Reads the values of environment variables, which a client sends.
  ///
  /// - Throws: `profile.member-invalid` if a variable is not set or cannot be sent in a header field.
  package mutating func readEnvironment(_ variable: (String) -> String?) throws(ProfileError) {
    for (name, value) in values {
      guard case .environment(let own) = value.source else { continue }
      guard let text = variable(own), !text.isEmpty, text.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) else {
        throw ProfileError(
          .memberInvalid, at: "values.\(name).environment", "set the environment variable \(own) to the value to send")
      }
      values[name]?.secret.text = text
    }
  }
}

extension ComputedValue {
  private static let sources = ["environment", "cookie", "header", "json", "page"]

  init(_ layers: ProfileLayers, root: String) throws(ProfileError) {
    try layers.allow(Set(Self.sources + ["from"]))
    let given = Self.sources.filter { layers.member($0) != nil }
    guard given.count == 1, let name = given.first, let text = try layers.text(name), !text.isEmpty else {
      throw ProfileError(.memberInvalid, at: layers.path, "name one source: \(Self.sources.joined(separator: ", "))")
    }
    let from = try Self.from(layers, root: root)
    switch name {
    case "environment": source = .environment(text)
    case "cookie": source = .cookie(text)
    case "header": source = .header(text.lowercased())
    case "json":
      source = .json(text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) })
    default: source = .page(text)
    }
    guard (from != nil) == (name != "environment") || name == "cookie" else {
      throw layers.invalid(
        "from", from == nil ? "name the request with the value, such as GET /login" : "an environment variable has none"
      )
    }
    self.from = from
  }

  /// Returns the path and the query of `GET /path?query`.
  private static func from(_ layers: ProfileLayers, root: String) throws(ProfileError) -> String? {
    guard let text = try layers.text("from") else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? "?\(parts[1])" : ""
    let isTop = parts[0] == "GET /"
    guard let route = ProfileRoute(isTop ? "GET /top" : String(parts[0]), root: root), route.method == "GET",
      route.parameters.isEmpty, route.kept.isEmpty,
      query.utf8.count <= 1_024, query.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "#") })
    else { throw layers.invalid("from", "write GET and a path, such as GET /login?next=/") }
    return (isTop ? "/" : route.path) + query
  }
}

extension ComputedValue {
  /// Finds the value in the JSON response of a server.
  ///
  /// - Parameters:
  ///   - path: The names of members and the numbers of elements on the way to the value.
  ///   - document: The response.
  /// - Returns: The value; nil without one.
  package static func member(_ path: [String], of document: JSONValue) -> ShapeValue? {
    var value = document
    for step in path {
      let next: JSONValue? =
        if let number = Int(step), let elements = try? value.array {
          elements.enumerated().first { $0.offset == number }?.element
        } else {
          (try? value[step]) ?? nil
        }
      guard let next = next?.unlessNull else { return nil }
      value = next
    }
    return .kept(value)
  }

  // 1 MiB  [a page without its images]
  private static let maximumPageByteCount = 1 << 20

  /// Returns the value of the first `meta`, `input` or `script` with a name in a page; nil without one.
  ///
  /// Reads tags and their attributes only. A script or a comment with such a tag counts as well.
  package static func element(named name: String, in page: [UInt8]) -> String? {
    elements(of: page) { (attributes, value) in
      attributes["name"] == name || attributes["id"] == name ? .some(value) : nil
    } ?? nil
  }

  /// Returns the name of the first `meta` or `input` with a value in a page; nil without one.
  package static func elementName(ofValue text: String, in page: [UInt8]) -> String? {
    elements(of: page) { (attributes, value) in value == text ? attributes["name"] ?? attributes["id"] : nil }
  }

  /// Returns what `find` finds first among the elements `meta` and `input` of a page, with their values.
  private static func elements<Found>(of page: [UInt8], _ find: (HTMLAttributes, String?) -> Found?) -> Found? {
    guard page.count <= maximumPageByteCount else { return nil }
    let text = String(decoding: page, as: UTF8.self)
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[start...].dropFirst()
      let tag = rest.prefix { $0.isLetter }.lowercased()
      guard ["meta", "input", "script"].contains(tag) else { continue }
      let attributes = HTMLAttributes(rest.dropFirst(tag.count))
      let value =
        tag == "script" ? Self.content(of: rest) : attributes[tag == "meta" ? "content" : "value"]
      if let found = find(attributes, value) { return found }
    }
    return nil
  }
}

extension ComputedValue {
  /// The text of an element after the beginning of its tag. A script has no references (HTML §13.1.2.2).
  private static func content(of element: Substring) -> String? {
    guard let start = element.firstIndex(of: ">") else { return nil }
    let text = element[start...].dropFirst()
    return text.firstRange(of: "</script").map { String(text[..<$0.lowerBound]) }
  }
}

/// The attributes of an HTML tag.
private struct HTMLAttributes {
  private var values: [String: String] = [:]

  /// Reads attributes until the tag ends.
  init(_ text: Substring) {
    var rest = text
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "/" }
      guard let first = rest.first, first != ">", first != "<" else { return }
      let name = rest.prefix { !$0.isWhitespace && !"=/>".contains($0) }
      guard !name.isEmpty else { return }
      rest = rest.dropFirst(name.count).drop { $0.isWhitespace }
      var value: Substring = ""
      if rest.first == "=" {
        rest = rest.dropFirst().drop { $0.isWhitespace }
        if let quote = rest.first, quote == "\"" || quote == "'" {
          value = rest.dropFirst().prefix { $0 != quote }
          rest = rest.dropFirst(value.count + 2)
        } else {
          value = rest.prefix { !$0.isWhitespace && $0 != ">" }
          rest = rest.dropFirst(value.count)
        }
      }
      // The first attribute of a name counts (HTML §13.2.5.33).
      if values[name.lowercased()] == nil { values[name.lowercased()] = Self.unescaped(value) }
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// Replaces the references that templates write in tokens.
  private static func unescaped(_ text: Substring) -> String {
    [
      ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&#43;", "+"), ("&#x3D;", "="),
      ("&#61;", "="),
      ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
    ]
    .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
  }
}

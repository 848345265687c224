// SPDX-License-Identifier: Apache-2.0

/// A header field that a client sends with every request: a constant, or a constant with a kept value at its end.
package struct SentHeader: Hashable, Sendable {
  /// The name, in lower case.
  package let name: String

  /// The beginning of the value.
  package let text: String

  /// The value at the end; nil for a constant field.
  package let kept: KeptName?

  /// Returns the value of the field; nil if its kept value is missing.
  package func value(_ values: KeptValues) -> String? {
    guard let kept else { return text }
    return values[kept]?.flatText.map { text + $0 }
  }
}

extension SentHeader {
  /// Reads the member `send` of the section `headers`.
  static func all(_ layers: ProfileLayers, _ computed: Set<String>) throws(ProfileError) -> [SentHeader] {
    var headers: [SentHeader] = []
    for name in layers.names.sorted() {
      guard let text = try layers.text(name), !isOrigin(name, text) else { continue }
      guard ProfileRoute.isToken(name), !reserved.contains(name.lowercased()) else {
        throw layers.invalid(name, "use the name of a header field that the client does not set itself")
      }
      headers.append(try header(name.lowercased(), text, at: layers.memberPath(name), computed))
    }
    return headers
  }

  /// Whether a field asks the client for its origin in every request that writes, as browsers send it.
  static func isOrigin(_ name: String, _ text: String) -> Bool { name.lowercased() == "origin" && text == "$origin" }

  private static func header(
    _ name: String, _ text: String, at path: String, _ computed: Set<String>
  ) throws(ProfileError) -> SentHeader {
    guard text.utf8.allSatisfy({ 0x20...0x7e ~= $0 }), text.utf8.count <= 1_024 else {
      throw ProfileError(.memberInvalid, at: path, "use printable characters")
    }
    guard let sign = text.firstIndex(of: "$"), !text[sign...].hasPrefix("$$") else {
      return SentHeader(name: name, text: text.replacing("$$", with: "$"), kept: nil)
    }
    guard let kept = KeptName(text[sign...]) else {
      throw ProfileError(
        .variableUnknown, at: path,
        "\(text[sign...]) is not a variable here; a field ends with $ceremony.NAME or $value.NAME")
    }
    guard kept.kind == .ceremony || computed.contains(kept.name) else {
      throw ProfileError(.variableUnknown, at: path, "values.\(kept.name) is missing")
    }
    return SentHeader(name: name, text: String(text[..<sign]), kept: kept)
  }

  // Fields of the connection, and fields that the client derives from the session and the origin.
  private static let reserved: Set<String> = [
    "host", "content-length", "content-type", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
    "upgrade",
    "expect", "cookie", "proxy-authorization", "proxy-connection", "user-agent", "origin",
  ]
}

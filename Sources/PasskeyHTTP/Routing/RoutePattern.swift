// SPDX-License-Identifier: Apache-2.0

/// A path pattern with parameters: `/api/auth/sessions/{id}`.
struct RoutePattern: Hashable {
  enum Part: Hashable {
    case literal(String)
    case parameter(String)
  }

  let text: String
  let parts: [Part]

  /// Parses a pattern. A parameter stands for a whole segment, and its name must be unique.
  init(_ text: String) throws(HTTPError) {
    let ambiguous = HTTPError(.routeAmbiguous, detail: text)
    guard text.utf8.first == UInt8(ascii: "/") else { throw ambiguous }
    var parts: [Part] = []
    for part in text == "/" ? [] : text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if part.hasPrefix("{"), part.hasSuffix("}") {
        let name = part.dropFirst().dropLast()
        guard HTTPHeaders.isToken(name.utf8), !parts.contains(.parameter(String(name))) else { throw ambiguous }
        parts.append(.parameter(String(name)))
      } else {
        guard !part.isEmpty, !part.contains(where: { "{}%?#".contains($0) }) else { throw ambiguous }
        parts.append(.literal(String(part)))
      }
    }
    self.text = text
    self.parts = parts
  }
}

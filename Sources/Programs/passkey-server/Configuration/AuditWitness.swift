// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyTransparencyLog

/// A witness of the transparency log: its key, and the prefix of its URLs.
struct AuditWitness: Hashable, Sendable, CustomStringConvertible {
  let key: NoteKey
  let url: String

  init(_ choice: Settings.Choice) throws(CommandFailure) {
    let parts = choice.text.split(separator: " ").map(String.init)
    guard parts.count == 2 else {
      throw choice.refused("write the verifier key of the witness, a space, and its URL")
    }
    key = try mapError(NoteKey(parts[0])) { (error: TransparencyLogError) in
      choice.refused("the verifier key has the form NAME+ID+BASE64: \(error.detail.escapedForTerminal)")
    }
    guard key.kind.hasTime else { throw choice.refused("this is the key of a log, not of a witness") }
    guard let url = Self.prefix(parts[1]) else {
      throw choice.refused("the URL begins with https://, or with http:// on this machine, and has no query")
    }
    self.url = url
  }

  /// Returns a URL without its last slash; nil if it cannot be the prefix of a witness.
  private static func prefix(_ text: String) -> String? {
    guard let colon = text.firstRange(of: "://"),
      text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && !"\"<>\\^`{|}#?@".utf8.contains($0) })
    else { return nil }
    let authority = text[colon.upperBound...].prefix { $0 != "/" }
    let isBracketed = authority.hasPrefix("[")
    let host = isBracketed ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    guard !host.isEmpty else { return nil }
    switch text[..<colon.lowerBound].lowercased() {
    case "https": break
    case "http": guard host == "localhost" || IPAddress(host)?.isLoopback == true else { return nil }
    default: return nil
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  var description: String { "\(key.name) at \(url)".escapedForTerminal }
}

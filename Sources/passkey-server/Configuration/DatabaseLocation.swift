// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import PasskeyStorage

/// Where the data are.
enum DatabaseLocation: Hashable, Sendable {
  /// A file of SQLite's.
  case file(String)
  /// A PostgreSQL server's database.
  case server(url: String)

  init(_ choice: Settings.Choice) throws(CommandFailure) {
    let text = choice.text
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      guard Self.hasOnePassword(text) else {
        // What a client of PostgreSQL says of such a URL has a part of the password in it.
        throw CommandFailure.usage(
          "\(choice.place) cannot be read: it may have a password that is not escaped",
          hint: "in a URL, : is written %3A, / %2F, @ %40 and % %25")
      }
      self = .server(url: text)
    } else if text.contains("://") {
      throw CommandFailure.usage(
        "\(choice.place) names a database of an unknown kind", hint: "it is a file, or postgres://USER@HOST/NAME")
    } else if text.isEmpty {
      throw choice.refused("it is a file, or postgres://USER@HOST/NAME")
    } else {
      self = .file(text)
    }
  }

  /// Whether it is plain where user and password end: whatever else stands there is escaped, as it should be.
  private static func hasOnePassword(_ url: String) -> Bool {
    let location = url.utf8.prefix { $0 != UInt8(ascii: "?") }.split(separator: UInt8(ascii: "/"), maxSplits: 1)
      .dropFirst()
    let parts = (location.first ?? Substring().utf8).split(
      separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count > 1 else { return true }
    let user = parts[0].drop { $0 == UInt8(ascii: "/") }
    return parts.count == 2 && !user.contains(UInt8(ascii: "/"))
      && user.count { $0 == UInt8(ascii: ":") } <= 1 && isEscaped(user)
  }

  /// Whether each percent sign has its two digits.
  private static func isEscaped(_ text: Substring.UTF8View) -> Bool {
    text.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy { (part) in
      part.count >= 2 && part.prefix(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
  }
}

extension DatabaseLocation: CustomStringConvertible {
  /// What may be shown: a server's URL may carry a password, and is not.
  var description: String {
    switch self {
    case .file(let path): path.escapedForTerminal
    case .server: "PostgreSQL"
    }
  }
}

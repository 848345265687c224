// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyPostgreSQL
internal import PasskeyService
internal import PasskeyStorage

/// The location of the database.
enum DatabaseLocation: Hashable, Sendable {
  /// A SQLite file.
  case file(String)
  /// A database on a PostgreSQL server.
  case server(url: String)

  init(_ choice: Settings.Choice) throws(CommandFailure) {
    let text = choice.text
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      try mapError(PostgreSQLConfiguration(url: text).requireReadable()) { (error: StorageError) in
        CommandFailure.usage(
          "\(choice.place) cannot be read: \(error.detail)",
          hint: "in a URL, : is written %3A, / %2F, @ %40 and % %25")
      }
      self = .server(url: text)
    } else if text.contains("://") {
      throw CommandFailure.usage(
        "\(choice.place) names an unknown kind of database", hint: "use a file, or postgres://USER@HOST/NAME")
    } else if text.isEmpty {
      throw choice.refused("use a file, or postgres://USER@HOST/NAME")
    } else {
      self = .file(text)
    }
  }
}

extension DatabaseLocation {
  /// Whether data may cross the network unencrypted.
  var allowsPlainText: Bool {
    guard case .server(let url) = self else { return false }
    return PostgreSQLConfiguration(url: url).allowsPlainText
  }
}

extension DatabaseLocation {
  /// Whether a PostgreSQL URL contains a password: after the user, or as a parameter.
  static func hasPassword(inURL url: String) -> Bool {
    let parts = url.split(separator: "://", maxSplits: 1)
    guard parts.count == 2 else { return false }
    let user = parts[1].prefix { $0 != "@" && $0 != "/" && $0 != "?" }
    if user.contains(":"), parts[1].dropFirst(user.count).first == "@" { return true }
    return url.contains("?password=") || url.contains("&password=")
  }
}

extension DatabaseLocation: CustomStringConvertible {
  /// The location without a server's URL, which may contain a password.
  var description: String {
    switch self {
    case .file(let path): path.escapedForTerminal
    case .server: "PostgreSQL"
    }
  }
}

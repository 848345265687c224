// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeySystem

/// The result of a command: one line per fact, or a JSON object. It must not contain secrets.
package struct Report {
  private let asJSON: Bool
  private var rows: [[String]] = []
  private var members: [(name: String, value: JSONFragment)] = []

  package init(asJSON: Bool) {
    self.asJSON = asJSON
  }

  /// Adds a fact, unless its value is unknown. `member` is its name in JSON, if that differs.
  package mutating func add(_ name: String, _ value: String?, as member: String? = nil) {
    guard let value else { return }
    rows.append([name, value.escapedForTerminal])
    members.append((member ?? Self.member(name), .string(value)))
  }

  /// Adds a flag with its meaning. In JSON it is `true`. `member` is its name in JSON, if that differs.
  package mutating func add(_ name: String, flag meaning: String, as member: String? = nil) {
    rows.append([name, meaning])
    members.append((member ?? Self.member(name), true))
  }

  /// Adds a count.
  package mutating func add(_ name: String, count: Int) {
    rows.append([name, "\(count)"])
    members.append((Self.member(name), .integer(count)))
  }

  /// Adds the expiry of a session, if one is open.
  package mutating func add(_ name: String, until expiry: UnixTime?, where isOpen: Bool) {
    guard isOpen else { return }
    rows.append([name, expiry.map { "until \($0)" } ?? "open"])
    members.append(("expiresAt", expiry.map { .string($0.description) } ?? .null))
  }

  /// Adds a line of text, and members of the JSON object.
  package mutating func add(_ name: String, line: String, members: [(name: String, value: JSONFragment)]) {
    rows.append([name, line])
    self.members += members
  }

  package func write() throws(CommandFailure) {
    try Output.write(bytes)
  }

  /// The encoded report.
  package var bytes: [UInt8] {
    guard asJSON else {
      return [UInt8](TextTable(rows: rows, width: TerminalWidth.columns(of: .standardOutput)).text.utf8)
    }
    let object = JSON.writeObject { (object: inout JSONObjectWriter) in
      for member in members { object.write(member.name, member.value) }
    }
    return object + [UInt8(ascii: "\n")]
  }

  /// Converts a label to a member name: `signed out` becomes `signedOut`.
  private static func member(_ name: String) -> String {
    let words = name.split(separator: " ")
    return words.enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalizedFirst }.joined()
  }
}

extension Substring {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A type that the value of an option can have.
package protocol OptionValue: Sendable {
  /// The expected form of the value, for the hint of an error.
  static var hint: String { get }

  /// The allowed values; empty if they are not a fixed list.
  static var choices: [String] { get }

  /// Parses the text of a value; `nil` if it is invalid.
  init?(optionText: String)
}

extension OptionValue {
  package static var choices: [String] { [] }

  /// Parses the value of the option `name`.
  ///
  /// - Throws: A usage error if the text is invalid.
  init(_ text: String, of name: String) throws(CommandFailure) {
    guard let value = Self(optionText: text) else {
      throw .usage("\(name) cannot be \(text.quotedForTerminal)", hint: Self.hint)
    }
    self = value
  }
}

extension OptionValue where Self: CaseIterable & RawRepresentable<String> {
  package static var choices: [String] { allCases.map(\.rawValue) }

  package static var hint: String { "it can be \(choices.joined(separator: ", "))" }

  package init?(optionText: String) {
    self.init(rawValue: optionText)
  }
}

/// A non-negative integer.
extension UInt64: OptionValue {
  package static var hint: String { "write a whole number without a unit" }

  package init?(optionText: String) {
    self.init(optionText)
  }
}

/// A time in RFC 3339 form, or the start of a day in UTC.
extension UnixTime: OptionValue {
  package static var hint: String { "write a time as 2026-01-01T12:00:00Z or 2026-01-01" }

  package init?(optionText text: String) {
    try? self.init(rfc3339: text.contains("T") ? text : text + "T00:00:00Z")
  }
}

extension WebOrigin: OptionValue {
  package static var hint: String { "write an origin as https://raxx.app, with only a port after the host" }

  package init?(optionText: String) {
    try? self.init(optionText)
  }
}

extension RelyingPartyID: OptionValue {
  package static var hint: String { "write a domain in lower case, such as raxx.app" }

  package init?(optionText: String) {
    try? self.init(optionText)
  }
}

extension Duration: OptionValue {
  package static var hint: String { "write a duration as 90s, 15m, 12h or 14d" }

  package init?(optionText: String) {
    self.init(optionText)
  }

  /// Parses a number from 1 to 1,000,000 with a unit: seconds (`s`), minutes (`m`), hours (`h`) or days (`d`).
  package init?(_ text: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()), 1...1_000_000 ~= number
    else { return nil }
    self = .seconds(number * unit)
  }
}

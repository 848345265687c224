// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

// Typed values of options.

extension ParsedArguments {
  /// Returns a time in RFC 3339 form, or the start of a day in UTC.
  package func time(_ name: String) throws(CommandFailure) -> UnixTime? {
    guard let text = self[name] else { return nil }
    return try mapError(UnixTime(rfc3339: text.contains("T") ? text : text + "T00:00:00Z")) { (_: WireError) in
      CommandFailure.usage(
        "\(name) cannot be \(text.quotedForTerminal)", hint: "write a time as 2026-01-01T12:00:00Z or 2026-01-01")
    }
  }

  /// Returns a non-negative integer.
  package func number(_ name: String) throws(CommandFailure) -> UInt64? {
    guard let text = self[name] else { return nil }
    guard let number = UInt64(text) else {
      throw .usage("\(name) cannot be \(text.quotedForTerminal)", hint: "write a whole number without a unit")
    }
    return number
  }

  /// Returns a duration such as 15m.
  package func duration(_ name: String) throws(CommandFailure) -> Duration? {
    guard let text = self[name] else { return nil }
    guard let duration = Duration(text) else {
      throw .usage("\(name) cannot be \(text.quotedForTerminal)", hint: "write a duration as 90s, 15m, 12h or 14d")
    }
    return duration
  }

  /// Returns the origins of a repeatable option.
  package func origins(_ name: String) throws(CommandFailure) -> [WebOrigin] {
    var origins: [WebOrigin] = []
    for text in all(name) {
      do throws(FormatError) {
        origins.append(try WebOrigin(text))
      } catch {
        throw .usage(
          "\(name) cannot be \(text.quotedForTerminal)",
          hint: "write an origin as https://raxx.app, with only a port after the host")
      }
    }
    return origins
  }

  /// Returns an RP ID.
  package func relyingPartyID(_ name: String) throws(CommandFailure) -> RelyingPartyID? {
    try relyingPartyIDs(name).first
  }

  /// Returns the RP IDs of a repeatable option.
  package func relyingPartyIDs(_ name: String) throws(CommandFailure) -> [RelyingPartyID] {
    var ids: [RelyingPartyID] = []
    for text in all(name) {
      do throws(FormatError) {
        ids.append(try RelyingPartyID(text))
      } catch {
        throw .usage(
          "\(name) cannot be \(text.quotedForTerminal)", hint: "write a domain in lower case, such as raxx.app")
      }
    }
    return ids
  }
}

extension Duration {
  /// Parses a number from 1 to 1,000,000 with a unit: seconds (`s`), minutes (`m`), hours (`h`) or days (`d`).
  package init?(_ text: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()), 1...1_000_000 ~= number
    else { return nil }
    self = .seconds(number * unit)
  }
}

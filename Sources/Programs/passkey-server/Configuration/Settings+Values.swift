// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

// Parsing of values. An error is one line that names the place where the value was set.

extension Settings.Choice {
  func refused(_ hint: String) -> CommandFailure {
    .usage("\(place) cannot be \(text.quotedForTerminal)", hint: hint)
  }

  func origin() throws(CommandFailure) -> WebOrigin {
    try mapError(WebOrigin(text)) { (_: FormatError) in refused("write an origin like https://raxx.app, with no path") }
  }

  /// Returns an origin that may use the passkeys of `id`: at or below that domain, one of `others`, or a native
  /// application's.
  func origin(under id: RelyingPartyID, or others: [WebOrigin]) throws(CommandFailure) -> WebOrigin {
    let origin = try origin()
    guard case .web(let scheme, let host, _) = origin.kind, !others.contains(origin) else { return origin }
    guard host == id.text || host.hasSuffix(".\(id.text)") else {
      throw refused(
        "the origin's host must be \(id.text) or end in .\(id.text); or name it with \(Setting.relatedOrigins.option)")
    }
    try requireSecure(scheme, host)
    return origin
  }

  /// Returns an origin that may embed our pages.
  func topOrigin() throws(CommandFailure) -> WebOrigin {
    let origin = try origin()
    if case .web(let scheme, let host, _) = origin.kind { try requireSecure(scheme, host) }
    return origin
  }

  /// Returns the origin that is a part of the value.
  func secureOrigin(_ part: String) throws(CommandFailure) -> WebOrigin {
    let origin = try mapError(WebOrigin(part)) { (_: FormatError) in
      refused("use an origin such as https://app.garden.example")
    }
    guard case .web(let scheme, let host, _) = origin.kind else { throw refused("use the origin of a web site") }
    try requireSecure(scheme, host)
    return origin
  }

  private func requireSecure(_ scheme: String, _ host: String) throws(CommandFailure) {
    guard scheme == "https" || host.isLocal else {
      throw refused("use https: browsers allow passkeys over http on localhost only")
    }
  }

  /// Returns a display name. Throws if it contains control characters.
  func title() throws(CommandFailure) -> String {
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw refused("use a single line of text")
    }
    return text
  }

  func relyingPartyID() throws(CommandFailure) -> RelyingPartyID {
    try mapError(RelyingPartyID(text)) { (_: FormatError) in refused("use a domain in lower case, such as raxx.app") }
  }

  /// Returns a duration, given as a number with a unit: seconds, minutes, hours or days.
  func duration(atMost limit: Duration? = nil) throws(CommandFailure) -> Duration {
    guard let duration = Duration(text) else { throw refused("write a time like 90s, 15m, 12h or 14d") }
    if let limit, duration > limit { throw refused("use at most \(limit.components.seconds) seconds") }
    return duration
  }

  /// Returns a period without a request, which must be longer than the interval in which uses of a session are recorded.
  func duration(above interval: Duration) throws(CommandFailure) -> Duration {
    let duration = try duration()
    guard duration > interval else {
      throw refused(
        "use more than \(interval.components.seconds) seconds: the last use of a session is recorded only that often")
    }
    return duration
  }

  func number(_ range: ClosedRange<Int>) throws(CommandFailure) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw refused("use a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns the value as a case of an enumeration, by its raw value.
  func choice<Value: RawRepresentable & CaseIterable>(
    of: Value.Type = Value.self
  ) throws(CommandFailure) -> Value where Value.RawValue == String {
    guard let value = Value(rawValue: text) else {
      throw refused("it can be \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }

  func appleApplication() throws(CommandFailure) -> AppleAppSiteAssociation.Application {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    do throws(CeremonyError) {
      if parts.count == 2 { return try AppleAppSiteAssociation.Application(teamID: parts[0], bundleID: parts[1]) }
    } catch {}
    throw refused("use a team id and a bundle id, such as A1B2C3D4E5.app.raxx")
  }

  func androidApplication() throws(CommandFailure) -> DigitalAssetLinks.Application {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    do throws(CeremonyError) {
      if parts.count == 2 {
        return try DigitalAssetLinks.Application(packageName: parts[0], fingerprints: [parts[1]])
      }
    } catch {}
    throw refused("use a package and the SHA-256 of its certificate, such as app.raxx=AB:CD:…")
  }
}

extension String {
  /// Whether the host name is localhost.
  fileprivate var isLocal: Bool { self == "localhost" || hasSuffix(".localhost") }
}

extension RelyingPartyID {
  /// Whether the RP ID is localhost.
  var isLocal: Bool { text.isLocal }
}

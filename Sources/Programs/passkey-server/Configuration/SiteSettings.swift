// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// How other programs of the site learn who is signed in.
struct SiteSettings: Sendable {
  let returnTargets: [SiteAccess.ReturnTarget]
  let proxySecrets: [SiteAccess.SecretDigest]
  let backEnds: [String: [SiteAccess.SecretDigest]]
  let audiences: [String]
  let tokenLifetime: Duration
  let tokenKeys: [String]

  init(_ settings: Settings, _ relyingParty: RelyingParty) throws(CommandFailure) {
    returnTargets = try settings.map(.returnTargets) { (choice) throws(CommandFailure) in
      try choice.returnTarget(relyingParty.origins.first)
    }
    proxySecrets = try settings.map(.proxySecrets) { (choice) throws(CommandFailure) in
      try choice.digest(choice.text)
    }
    var backEnds: [String: [SiteAccess.SecretDigest]] = [:]
    for choice in settings.list(.backEnds) {
      let parts = choice.text.split(separator: "=", maxSplits: 1).map { String($0) }
      guard parts.count == 2, Self.isName(parts[0]) else {
        throw choice.refused("write a name and a digest, such as orders=\(String(repeating: "0", count: 64))")
      }
      backEnds[parts[0], default: []].append(try choice.digest(parts[1]))
    }
    self.backEnds = backEnds
    audiences = try settings.map(.audiences) { (choice) throws(CommandFailure) in
      guard Self.isName(choice.text) else {
        throw choice.refused("use at most 255 letters, digits and the characters -._~:/")
      }
      return choice.text
    }
    tokenLifetime = try settings.require(.tokenLifetime).duration(atMost: .seconds(3_600))
    tokenKeys = settings.list(.tokenKeys).map(\.text)
  }

  /// Returns what the endpoints serve; nil if the settings ask for nothing.
  func access(for service: AuthService) throws(CommandFailure) -> SiteAccess? {
    guard !returnTargets.isEmpty || !proxySecrets.isEmpty || !backEnds.isEmpty || !audiences.isEmpty else { return nil }
    var access = try mapError(SiteAccess(for: service, tokenKeys: tokenKeys)) { (_: ServiceError) in
      CommandFailure.usage(
        "\(Setting.tokenKeys.option) cannot be \(tokenKeys.joined(separator: ", ").quotedForTerminal)",
        hint: "name 1 to 8 different keys, with letters, digits and hyphens")
    }
    access.returnTargets = returnTargets
    access.proxySecrets = proxySecrets
    access.backEnds = backEnds
    access.audiences = Set(audiences)
    access.tokenLifetime = tokenLifetime
    return access
  }

  /// Warns about places that the session cookie does not reach: their pages would send every visitor to the sign-in.
  func warnings(_ profile: ServiceProfile, _ relyingParty: RelyingParty) -> [String] {
    guard let pages = relyingParty.origins.first, case .web(_, let host, _) = pages.kind else { return [] }
    let domain = profile.sessions.cookie.domain
    return returnTargets.compactMap { (target) in
      guard let origin = try? WebOrigin(target.origin), case .web(_, let other, _) = origin.kind, other != host,
        domain.map({ other != $0 && !other.hasSuffix(".\($0)") }) ?? true
      else { return nil }
      return
        "the session cookie does not reach \(target.origin): set \(Setting.cookieDomain.option) to a domain of both"
    }
  }

  /// The rows for display.
  var rows: [[String]] {
    let count = proxySecrets.count
    let names = backEnds.keys.sorted().joined(separator: ", ")
    let tokens = "\(audiences.joined(separator: ", ")), \(ServerConfiguration.time(tokenLifetime)), key \(tokenKeys[0])"
    return [
      ["sign-in leads", Self.list(returnTargets.map { "\($0.origin)\($0.path)" })],
      ["proxies", count == 0 ? "no secret" : count == 1 ? "one secret" : "\(count) secrets"],
      ["back ends", names.isEmpty ? "none" : names],
      ["signed tokens", audiences.isEmpty ? "none" : "for \(tokens)"],
    ]
  }

  private static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "to the account" : "to the account, or back to \(texts.joined(separator: ", "))"
  }

  /// Whether a text names a service: a word or a URL. It becomes a claim, and a part of `Authorization`.
  private static func isName(_ text: String) -> Bool {
    1...255 ~= text.utf8.count
      && text.utf8.allSatisfy { (byte) in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~:/".utf8.contains(byte)
        }
      }
  }
}

extension Settings.Choice {
  /// Returns the digest of a secret.
  fileprivate func digest(_ text: String) throws(CommandFailure) -> SiteAccess.SecretDigest {
    guard let digest = SiteAccess.SecretDigest(hex: text) else {
      throw refused("use the 64 hexadecimal digits that printf %s SECRET | sha256sum prints")
    }
    return digest
  }

  /// Returns a place to which a sign-in may lead back; a path is one of the pages' own origin.
  fileprivate func returnTarget(_ own: WebOrigin?) throws(CommandFailure) -> SiteAccess.ReturnTarget {
    let mark = text.firstRange(of: "://")?.upperBound ?? text.startIndex
    let path = text[mark...].firstIndex(of: "/") ?? text.endIndex
    let chosen = mark == text.startIndex ? own : try secureOrigin(String(text[..<path]))
    guard let origin = chosen,
      let target = try? SiteAccess.ReturnTarget(origin, path: path == text.endIndex ? "/" : String(text[path...])),
      mark != text.startIndex || text.hasPrefix("/")
    else { throw refused("use a path such as /members/, or an origin such as https://app.garden.example") }
    return target
  }
}

extension ServiceProfile {
  /// Applies the settings of the session cookie. The cookie of the profile `site` has the name of the site.
  mutating func applyCookieSettings(_ settings: Settings) throws(CommandFailure) {
    let id = try settings.require(.relyingPartyID).text
    if name == ServiceProfile.site.name { sessions.cookie.name = "\(id.prefix { $0 != "." }).session" }
    for setting in [Setting.cookieName, .cookieDomain, .cookiePrefix] {
      guard let choice = settings.choice(setting), !sessions.allows(.cookie) else { continue }
      throw CommandFailure.usage(
        "\(choice.place) applies to session cookies, and these sessions use a header",
        hint: "use session cookies with \(Setting.tokens.option) cookie")
    }
    if let choice = settings.choice(.cookieName) {
      guard choice.text.utf8.count <= 64, EndpointCookie(choice.text, "", isSecure: true) != nil else {
        throw choice.refused("use at most 64 letters, digits and the characters . _ -")
      }
      sessions.cookie.name = choice.text
    }
    if let choice = settings.choice(.cookieDomain) {
      guard (try? RelyingPartyID(choice.text)) != nil else { throw choice.refused("use a domain in lower case") }
      (sessions.cookie.domain, sessions.cookie.prefix) = (choice.text, .none)
    }
    guard let choice = settings.choice(.cookiePrefix) else { return }
    sessions.cookie.prefix = try choice.choice(of: CookiePrefixChoice.self) == .none ? .none : .host
    guard sessions.cookie.prefix == .none || sessions.cookie.domain == nil else {
      throw choice.refused("a cookie of a domain has no prefix")
    }
  }
}

/// Whether a session cookie's name has the prefix that binds it to its host (RFC 6265bis §4.1.3.2).
private enum CookiePrefixChoice: String, CaseIterable {
  case host, none
}

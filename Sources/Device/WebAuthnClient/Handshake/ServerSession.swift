// SPDX-License-Identifier: Apache-2.0

package import PasskeyCrypto
public import PasskeyFormats
internal import PasskeyProfiles

/// A signed-in session with a server. It is a value, so a program may store it in a file and continue it later. Its
/// secrets are available through ``json`` only.
///
/// Methods take the session `inout`: a reply may change its cookies, token or expiry, even if the server refuses the
/// request. Store the session again after each call.
public struct ServerSession: Hashable, Sendable {
  /// The server that opened the session. The client sends it to no other server.
  public let server: ServerAddress

  /// The name of the profile.
  public let profile: String

  /// The address of the signed-in user, if known.
  public let user: String?

  /// When the session expires, if the server says so.
  public internal(set) var expiry: UnixTime?

  /// Until when the session can be renewed, if the server says so.
  public internal(set) var renewalExpiry: UnixTime?

  /// When the user signed in, if the program recorded it.
  package var signedIn: UnixTime?

  /// The access token, if the server uses bearer tokens.
  package var token: SecretBytes?

  /// The refresh token.
  package var refreshToken: SecretBytes?

  /// The session's cookies.
  package var cookies: CookieJar

  /// Whether the session is known to be renewable. A cookie does not tell whether it allows renewal.
  package var isRenewable: Bool { refreshToken != nil || renewalExpiry != nil }

  /// Returns the number of seconds until the session expires, at least 0, or nil if the expiry is unknown.
  package func secondsLeft(at now: UnixTime) -> Int64? {
    guard let expiry else { return nil }
    let (left, overflow) = expiry.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
    return overflow ? (expiry > now ? .max : 0) : max(0, left)
  }

  /// Returns whether the session expires within `window`, so that the user should be warned.
  package func endsSoon(at now: UnixTime, within window: Duration = .seconds(120)) -> Bool {
    secondsLeft(at: now).map { Duration.seconds($0) <= window } ?? false
  }

  /// Returns whether both sessions present the same credentials. Some servers return the existing session on a repeated
  /// sign-in.
  package func hasCredentials(of other: ServerSession) -> Bool {
    token == other.token && cookies == other.cookies
  }

  /// Replaces the tokens with those in the reply that ends a ceremony, if it has any.
  mutating func takeTokens(of values: ShapeValues, _ profile: ServiceProfile) {
    guard profile.presentation == .bearer, let token = values.secret(.sessionToken), Handshake.isToken(token) else {
      return
    }
    self.token = token
    if let refreshToken = values.secret(.sessionRefreshToken) { self.refreshToken = refreshToken }
  }
}

extension ServerSession {
  /// Compares all members, including the secrets.
  public static func == (left: Self, right: Self) -> Bool {
    left.server == right.server && left.profile == right.profile && left.user == right.user
      && left.expiry == right.expiry && left.renewalExpiry == right.renewalExpiry && left.signedIn == right.signedIn
      && left.token == right.token && left.refreshToken == right.refreshToken && left.cookies == right.cookies
  }

  /// Hashes the members that are not secret.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(server)
    hasher.combine(profile)
    hasher.combine(user)
    hasher.combine(expiry)
  }
}

extension ServerSession: CustomStringConvertible, CustomReflectable {
  /// The user and the server of the session.
  public var description: String { "\(user ?? "a user") at \(server.text)" }

  /// An empty mirror, so that `dump` and failing tests do not print secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ServerSession {
  /// Creates a session from the tokens or the cookies of a response.
  package init(
    server: ServerAddress, profile: String, user: String?, expiry: UnixTime?, token: SecretBytes?,
    refreshToken: SecretBytes?, cookies: CookieJar
  ) {
    self.init(
      server: server, profile: profile, user: user, expiry: expiry, renewalExpiry: nil, token: token,
      refreshToken: refreshToken, cookies: cookies)
  }
}

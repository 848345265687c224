// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

/// A session with a server: what shows that somebody is signed in. It is a value, so that a program may keep it in a file
/// and go on with it later; ``json`` is the only way in which its secrets leave it.
///
/// Whatever is done in a session takes it `inout`: an answer may bring other cookies, another token or another end, also where
/// the server says no. Whoever keeps it somewhere keeps what it then is.
public struct ServerSession: Hashable, Sendable {
  /// The server that opened it, to which alone it is shown.
  public let server: ServerAddress

  /// The name of the profile.
  public let profile: String

  /// The address of whoever is signed in, where it is known.
  public let user: String?

  /// When it ends, where the server says so.
  public internal(set) var expiry: Timestamp?

  /// Until when it can be renewed, where the server says so.
  public internal(set) var renewalExpiry: Timestamp?

  /// The token, where it travels in a header.
  var token: SecretBytes?

  /// By which it is renewed.
  var refreshToken: SecretBytes?

  /// The cookies that belong to it.
  var cookies: CookieJar

  /// Whether there is something by which it can be renewed. A cookie that renews tells nothing of itself.
  public var isRenewable: Bool { refreshToken != nil || renewalExpiry != nil }

  /// How many seconds are left; nil where that is not known, and never less than none.
  public func secondsLeft(at now: Timestamp) -> Int64? {
    guard let expiry else { return nil }
    let (left, overflow) = expiry.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
    return overflow ? (expiry > now ? .max : 0) : max(0, left)
  }

  /// Whether it ends so soon that its user should be warned.
  public func endsSoon(at now: Timestamp, within window: Duration = .seconds(120)) -> Bool {
    secondsLeft(at: now).map { Duration.seconds($0) <= window } ?? false
  }

  /// Takes the tokens that the end of a ceremony brings in the place of those there are, where it brings any.
  mutating func takeTokens(of object: JSONValue, _ profile: ServerProfile) {
    guard case .bearer = profile.sessions, let token = object.secret(profile.tokenMember), Handshake.isToken(token)
    else { return }
    self.token = token
    if let refreshToken = object.secret(profile.refreshTokenMember) { self.refreshToken = refreshToken }
  }
}

extension ServerSession {
  /// Compares what the sessions are and show.
  public static func == (left: Self, right: Self) -> Bool {
    left.server == right.server && left.profile == right.profile && left.user == right.user
      && left.expiry == right.expiry && left.renewalExpiry == right.renewalExpiry && left.token == right.token
      && left.refreshToken == right.refreshToken && left.cookies == right.cookies
  }

  /// Hashes what is no secret.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(server)
    hasher.combine(profile)
    hasher.combine(user)
    hasher.combine(expiry)
  }
}

extension ServerSession: CustomStringConvertible, CustomReflectable {
  /// Who is signed in where.
  public var description: String { "\(user ?? "somebody") at \(server.text)" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

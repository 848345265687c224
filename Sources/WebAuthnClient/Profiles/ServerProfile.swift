// SPDX-License-Identifier: Apache-2.0

/// The interface of a server: paths, member names, and how it delivers sessions.
///
/// Three profiles are built in. A JSON file can describe any other server with such endpoints, see
/// <doc:ServerProfiles>.
public struct ServerProfile: Hashable, Sendable {
  /// The name of the profile.
  public var name: String

  /// The route of each endpoint. The server lacks endpoints that are not listed.
  public var routes: [ServerEndpoint: ServerRoute]

  /// The member with the user's address, in request bodies and in the account of replies.
  public var addressMember = "email"

  /// The member of replies with the account.
  public var accountMember = "account"

  /// The member of a registration's first request with the user's display name, or nil if the server accepts none.
  public var displayNameMember: String?

  /// The member of a registration's first request with an invitation or recovery code.
  public var codeMember = "code"

  /// The member of replies with the options of a ceremony. If nil, the options are the reply itself or its member
  /// `publicKey`.
  public var optionsMember: String?

  /// The member of request bodies with the credential, or nil if the body itself is the credential.
  public var credentialMember: String? = "credential"

  /// The member of a registration's last request with the passkey's name.
  public var credentialNameMember = "name"

  /// Whether the last request of a ceremony repeats the address, for servers that look up the ceremony by it.
  public var repeatsAddress = false

  /// How the server delivers sessions.
  public var sessions = SessionDelivery.bearer

  /// The member of replies with the access token.
  public var tokenMember = "token"

  /// The member with the refresh token, in replies and in the body of a renewal.
  public var refreshTokenMember = "refreshToken"

  /// The member of replies with the client mark.
  public var clientTokenMember = "clientToken"

  /// The header field that carries the client mark.
  public var clientHeader = "passkey-client"

  /// The member of replies with the session's expiry.
  public var expiryMember = "expiresAt"

  /// The member of replies with the time until which the session can be renewed.
  public var renewalExpiryMember = "refreshExpiresAt"

  /// The header field that carries a step-up grant.
  public var stepUpHeader = "passkey-step-up"

  /// Creates a profile with these endpoints. All other members have Raxx's values.
  public init(name: String, routes: [ServerEndpoint: ServerRoute]) {
    self.name = name
    self.routes = routes
  }

  /// The built-in profiles.
  public static let all: [ServerProfile] = [.raxx, .yapt, .aiday]

  /// Returns the route of an endpoint. Throws ``ClientError/Code-swift.enum/endpointMissing`` if the server has none.
  func route(_ endpoint: ServerEndpoint) throws(ClientError) -> ServerRoute {
    guard let route = routes[endpoint] else {
      throw ClientError(.endpointMissing, "the profile \(name) has no route \"\(endpoint.rawValue)\"")
    }
    return route
  }

  /// Returns the default route of every endpoint, below one path.
  static func routes(below root: String) -> [ServerEndpoint: ServerRoute] {
    let auth = "\(root)/auth"
    return [
      .registerOptions: ServerRoute("POST", "\(auth)/register/options"),
      .registerVerify: ServerRoute("POST", "\(auth)/register/verify"),
      .signInOptions: ServerRoute("POST", "\(auth)/login/options"),
      .signInVerify: ServerRoute("POST", "\(auth)/login/verify"),
      .stepUpOptions: ServerRoute("POST", "\(auth)/step-up/options"),
      .stepUpVerify: ServerRoute("POST", "\(auth)/step-up/verify"),
      .me: ServerRoute("GET", "\(auth)/me"), .signOut: ServerRoute("POST", "\(auth)/logout"),
      .refresh: ServerRoute("POST", "\(auth)/refresh"), .sessions: ServerRoute("GET", "\(auth)/sessions"),
      .revokeSessions: ServerRoute("DELETE", "\(auth)/sessions"),
      .revokeSession: ServerRoute("DELETE", "\(auth)/sessions/{id}"),
      .credentials: ServerRoute("GET", "\(auth)/credentials"),
      .renameCredential: ServerRoute("PATCH", "\(auth)/credentials/{id}"),
      .deleteCredential: ServerRoute("DELETE", "\(auth)/credentials/{id}"),
      .exportAccount: ServerRoute("GET", "\(root)/account/export"),
      .eraseAccount: ServerRoute("DELETE", "\(root)/account"), .health: ServerRoute("GET", "/healthz"),
    ]
  }
}

/// How a server delivers a session, and how the client presents it.
public enum SessionDelivery: Hashable, Sendable {
  /// A token in the body of the reply, sent as `Authorization: Bearer …` in later requests.
  case bearer

  /// A cookie of this name, under TLS possibly with the prefix `__Host-`. Write requests carry an `Origin` field, as a
  /// browser's do.
  case cookie(name: String)

  /// No session: the server only reports that the ceremony succeeded.
  case nothing
}

extension ServerProfile {
  /// Raxx: bearer tokens that expire after 15 minutes.
  public static let raxx = ServerProfile(name: "raxx", routes: routes(below: "/api"))

  /// Yapt: a session cookie, which also carries the pending ceremony, and `username` in place of `email`.
  public static let yapt: ServerProfile = {
    var profile = ServerProfile(name: "yapt", routes: routes(below: "/api"))
    profile.routes[.registerOptions] = ServerRoute("POST", "/api/auth/register/generate-options")
    profile.routes[.signInOptions] = ServerRoute("POST", "/api/auth/login/generate-options")
    profile.addressMember = "username"
    profile.accountMember = "user"
    profile.credentialMember = nil
    profile.sessions = .cookie(name: "yapt.sid")
    return profile
  }()

  /// Aiday: accounts that require approval, and refresh tokens.
  public static let aiday: ServerProfile = {
    var profile = ServerProfile(name: "aiday", routes: routes(below: "/api/v1"))
    profile.accountMember = "user"
    return profile
  }()
}

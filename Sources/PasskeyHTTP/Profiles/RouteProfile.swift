// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// The API conventions of one system: its paths, member names and token delivery. The endpoints behave the same in all
/// profiles.
public struct RouteProfile: Sendable {
  /// The name of the profile.
  public var name: String

  /// The path of each endpoint; an endpoint without a path is not served. `{id}` stands for an identifier, and
  /// `{credential}` for an additional passkey identifier.
  public var paths: [EndpointName: String]

  /// The member with the email address, in request bodies and in accounts.
  public var addressMember = "email"

  /// The response member with the account.
  public var accountMember = "account"

  /// Whether responses to finished ceremonies contain `"verified": true`, for clients that expect it. A failure is
  /// always an error response.
  public var saysVerified = false

  /// How tokens are transported.
  public var tokens = TokenDelivery.bearer

  /// The service policy that the system expects by default.
  public var policy = ServicePolicy()

  /// Creates a profile with these paths.
  public init(name: String, paths: [EndpointName: String]) {
    self.name = name
    self.paths = paths
  }

  /// The built-in profiles.
  public static let all: [RouteProfile] = [.raxx, .yapt, .aiday]

  /// The paths that all profiles share: well-known documents and monitoring.
  static let sharedPaths: [EndpointName: String] = [
    .health: "/healthz", .readiness: "/readyz", .metrics: "/metrics", .openAPI: "/openapi.json",
    .relatedOrigins: "/.well-known/webauthn",
    .appleAppSiteAssociation: "/.well-known/apple-app-site-association",
    .digitalAssetLinks: "/.well-known/assetlinks.json",
    .passkeyEndpoints: "/.well-known/passkey-endpoints",
  ]

  /// Returns the paths of all endpoints below one root path.
  static func paths(below root: String) -> [EndpointName: String] {
    let auth = "\(root)/auth"
    let users = "\(root)/admin/users"
    let own: [EndpointName: String] = [
      .registerOptions: "\(auth)/register/options", .registerVerify: "\(auth)/register/verify",
      .signInOptions: "\(auth)/login/options", .signInVerify: "\(auth)/login/verify",
      .stepUpOptions: "\(auth)/step-up/options", .stepUpVerify: "\(auth)/step-up/verify",
      .me: "\(auth)/me", .signOut: "\(auth)/logout", .refresh: "\(auth)/refresh",
      .sessions: "\(auth)/sessions", .revokeSessions: "\(auth)/sessions", .revokeSession: "\(auth)/sessions/{id}",
      .credentials: "\(auth)/credentials", .credential: "\(auth)/credentials/{id}",
      .renameCredential: "\(auth)/credentials/{id}", .deleteCredential: "\(auth)/credentials/{id}",
      .registerDevice: "\(root)/devices/apns", .eraseDevice: "\(root)/devices/apns",
      .exportAccount: "\(root)/account/export", .eraseAccount: "\(root)/account",
      .users: users, .approveUser: "\(users)/{id}/approve", .disableUser: "\(users)/{id}/disable",
      .enableUser: "\(users)/{id}/enable", .setRoles: "\(users)/{id}/roles", .inviteUser: "\(users)/{id}/invite",
      .recoverUser: "\(users)/{id}/recover", .revokeUserSessions: "\(users)/{id}/sessions",
      .userCredentials: "\(users)/{id}/credentials", .deleteUserCredential: "\(users)/{id}/credentials/{credential}",
    ]
    return own.merging(sharedPaths) { own, _ in own }
  }
}

/// How session tokens are transported.
public enum TokenDelivery: Hashable, Sendable {
  /// In the body of the response that opens the session, then in `Authorization: Bearer …`.
  case bearer

  /// In an `HttpOnly` cookie.
  ///
  /// Requests that change state must then come from an origin of the relying party. A ceremony can be finished only in
  /// the browser that began it: before sign-in, the same cookie carries the ceremony binding.
  ///
  /// If `keepsPlainName` is true, the name has no `__Host-` prefix over TLS either, for clients that expect the plain
  /// name.
  case cookie(name: String, keepsPlainName: Bool = false)
}

extension RouteProfile {
  /// Raxx: bearer tokens that are valid for 15 minutes, and all endpoints.
  public static let raxx = RouteProfile(name: "raxx", paths: paths(below: "/api"))
}

extension RouteProfile {
  /// Yapt: a session cookie with a custom name, which also carries the ceremony binding, and `username` for the email
  /// address.
  public static let yapt: RouteProfile = {
    var paths = RouteProfile.paths(below: "/api")
    paths[.registerOptions] = "/api/auth/register/generate-options"
    paths[.signInOptions] = "/api/auth/login/generate-options"
    var profile = RouteProfile(name: "yapt", paths: paths)
    profile.addressMember = "username"
    profile.accountMember = "user"
    profile.saysVerified = true
    profile.tokens = .cookie(name: "yapt.sid", keepsPlainName: true)
    return profile
  }()
}

extension RouteProfile {
  /// Aiday: administrators approve accounts, sessions have refresh tokens, and an idle time-out of 15 minutes.
  public static let aiday: RouteProfile = {
    var paths = RouteProfile.paths(below: "/api/v1")
    paths[.registerDevice] = "/api/v1/notifications/devices"
    paths[.eraseDevice] = "/api/v1/notifications/devices"
    var profile = RouteProfile(name: "aiday", paths: paths)
    profile.accountMember = "user"
    profile.policy.signUp = .approval
    profile.policy.sessions.idleLimit = .seconds(15 * 60)
    profile.policy.sessions.renewal = .init()
    return profile
  }()
}

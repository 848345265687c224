// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// How one system calls what all of them have: paths, the names of members, and how tokens travel. What happens is the
/// same in each.
public struct RouteProfile: Sendable {
  /// What the profile is called.
  public var name: String

  /// The path of each endpoint; what has none is not served. `{id}` stands where an endpoint takes an identifier, and
  /// `{credential}` where it takes a passkey's besides.
  public var paths: [EndpointName: String]

  /// The member, of bodies and of accounts in answers, that has the e-mail address.
  public var addressMember = "email"

  /// The member of answers that describes the account.
  public var accountMember = "account"

  /// Whether answers to finished ceremonies say `"verified": true`, for clients that look for it. A failure is never
  /// answered so with anything but an error.
  public var saysVerified = false

  /// How tokens travel.
  public var tokens = TokenDelivery.bearer

  /// What the system expects of the service where nothing else is chosen.
  public var policy = ServicePolicy()

  /// A system with these paths.
  public init(name: String, paths: [EndpointName: String]) {
    self.name = name
    self.paths = paths
  }

  /// The profiles that come with the server.
  public static let all: [RouteProfile] = [.raxx, .yapt, .aiday]

  /// What every system has: the documents and what watches the server.
  static let sharedPaths: [EndpointName: String] = [
    .health: "/healthz", .readiness: "/readyz", .metrics: "/metrics", .openAPI: "/openapi.json",
    .relatedOrigins: "/.well-known/webauthn",
    .appleAppSiteAssociation: "/.well-known/apple-app-site-association",
    .digitalAssetLinks: "/.well-known/assetlinks.json",
    .passkeyEndpoints: "/.well-known/passkey-endpoints",
  ]

  /// Everything, below one path.
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

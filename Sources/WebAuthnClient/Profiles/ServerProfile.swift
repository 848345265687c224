// SPDX-License-Identifier: Apache-2.0

/// How one server calls what all of them have: paths, the names of members, and how sessions travel.
///
/// Three come with the library; any other server with such endpoints is described by a small file, see <doc:ServerProfiles>.
public struct ServerProfile: Hashable, Sendable {
  /// What the profile is called.
  public var name: String

  /// Where each endpoint is. What is not here, the server does not have.
  public var routes: [ServerEndpoint: ServerRoute]

  /// The member, of bodies and of accounts in replies, that has the person's address.
  public var addressMember = "email"

  /// The member of replies that describes the account.
  public var accountMember = "account"

  /// The member of a registration's beginning that has the person's name; nil where the server takes none.
  public var displayNameMember: String?

  /// The member of a registration's beginning that has an invitation or a recovery code.
  public var codeMember = "code"

  /// The member of replies that has the options of a ceremony; nil where the reply itself is the options, or has them as
  /// `publicKey`.
  public var optionsMember: String?

  /// The member of bodies that has the credential; nil where the body itself is the credential.
  public var credentialMember: String? = "credential"

  /// The member of a registration's end that has the passkey's name.
  public var credentialNameMember = "name"

  /// Whether the address stands in the end of a ceremony as well, for a server that keeps its ceremonies by it.
  public var repeatsAddress = false

  /// How sessions travel.
  public var sessions = SessionDelivery.bearer

  /// The member of replies that has the token.
  public var tokenMember = "token"

  /// The member, of replies and of the body of a renewal, that has the token by which a session is renewed.
  public var refreshTokenMember = "refreshToken"

  /// The member of replies that has the token by which the server knows this client again.
  public var clientTokenMember = "clientToken"

  /// The header field in which that token is shown.
  public var clientHeader = "passkey-client"

  /// The member of replies that says when the session ends.
  public var expiryMember = "expiresAt"

  /// The member of replies that says until when the session can be renewed.
  public var renewalExpiryMember = "refreshExpiresAt"

  /// The header field in which the confirmation of an act is shown.
  public var stepUpHeader = "passkey-step-up"

  /// A server with these endpoints, and otherwise like Raxx.
  public init(name: String, routes: [ServerEndpoint: ServerRoute]) {
    self.name = name
    self.routes = routes
  }

  /// The profiles that come with the library.
  public static let all: [ServerProfile] = [.raxx, .yapt, .aiday]

  /// Where an endpoint is; fails where the server has none.
  func route(_ endpoint: ServerEndpoint) throws(ClientError) -> ServerRoute {
    guard let route = routes[endpoint] else {
      throw ClientError(.endpointMissing, "the profile \(name) has no \(endpoint.rawValue)")
    }
    return route
  }

  /// Every endpoint, below one path.
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

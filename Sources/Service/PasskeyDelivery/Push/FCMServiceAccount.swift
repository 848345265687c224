// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
public import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService

/// A service account of Google, which may send messages of one project.
public struct FCMServiceAccount: Sendable {
  let project: String
  private let email: String
  private let token: JSONWebToken
  let tokenURL: DeliveryURL

  // 1 hour [the longest that Google accepts]
  private static let assertionLifetime: Duration = .seconds(3_600)
  private static let scope = "https://www.googleapis.com/auth/firebase.messaging"

  /// Reads the JSON file that Google's console creates.
  ///
  /// - Throws: `delivery.service-account-invalid`, `delivery.key-invalid` or `delivery.address-invalid`.
  public init(json: SecretBytes) throws(DeliveryError) {
    let members = json.withBytes { (text) -> [String: String]? in
      guard let object = try? JSON.parse(text) else { return nil }
      var members: [String: String] = [:]
      for name in ["type", "project_id", "private_key_id", "private_key", "client_email", "token_uri"] {
        guard let text = try? object.require(name).string else { return nil }
        members[name] = text
      }
      return members
    }
    guard let members, members["type"] == "service_account", let project = members["project_id"],
      let email = members["client_email"], let key = members["private_key"], let keyID = members["private_key_id"],
      let address = members["token_uri"]
    else { throw DeliveryError(.serviceAccountInvalid, "use the JSON file of a service account") }
    guard !project.isEmpty, project.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-.:".utf8.contains($0) }) else {
      throw DeliveryError(.serviceAccountInvalid, "the project_id is malformed")
    }
    self.project = project
    self.email = email
    token = JSONWebToken(key: try JSONWebToken.key(.rs256, pem: SecretBytes(utf8: key)), keyID: keyID)
    tokenURL = try DeliveryURL(address)
  }

  /// Returns the assertion that Google exchanges for an access token (RFC 7523).
  func assertion(now: UnixTime) throws(PasskeyCryptoError) -> String {
    try token.text { (claims) in
      claims.write("iss", email)
      claims.write("scope", Self.scope)
      claims.write("aud", tokenURL.text)
      claims.write("iat", .integer(now.secondsSince1970))
      claims.write("exp", .integer((now + Self.assertionLifetime).secondsSince1970))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
public import PasskeyService
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// How the other programs of a site learn who is signed in: by a proxy that asks for each request, by a question about one
/// token, or by a signed token.
public struct SiteAccess: Sendable {
  /// The digests of the secrets of proxies, which send one of them in `Passkey-Proxy-Secret`. No other client may ask whose a
  /// forwarded request is.
  public var proxySecrets: [SecretDigest] = []

  /// The back ends that may ask about tokens (RFC 7662), with the digests of their secrets. Several digests of one back end
  /// are all valid, so that its secret can be replaced.
  public var backEnds: [String: [SecretDigest]] = [:]

  /// The services for which tokens are signed.
  public var audiences: Set<String> = []

  /// The lifetime of a signed token. It ends with its session's token at the latest.
  public var tokenLifetime = Duration.seconds(300)

  /// Where a sign-in may lead back to.
  public var returnTargets: [ReturnTarget] = []

  /// The address of the sign-in page, for visitors without a session.
  public var signInPage: String

  /// The issuer of signed tokens: the first origin of the relying party.
  public let issuer: String

  /// The keys of signed tokens.
  public let tokenKeys: TokenKeys

  /// Creates an access that allows nothing yet.
  ///
  /// - Parameters:
  ///   - service: The service, whose secret gives the keys of signed tokens.
  ///   - tokenKeys: The names of these keys; the first one signs (``/PasskeyService/TokenKeys``).
  /// - Throws: `service.configuration-invalid` if a name is malformed or repeated.
  public init(for service: AuthService, tokenKeys: [String] = ["1"]) throws(ServiceError) {
    issuer = service.relyingParty.origins.first?.text ?? "https://\(service.relyingParty.id)"
    signInPage = "\(issuer)/"
    self.tokenKeys = try TokenKeys(tokenKeys, of: service)
  }

  /// Whether a proxy may ask.
  var answersProxies: Bool { !proxySecrets.isEmpty }

  /// Whether there are signed tokens.
  var signsTokens: Bool { !audiences.isEmpty }
}

extension SiteAccess {
  /// The SHA-256 digest of a secret that programs share. The secret is random and long, so the digest does not reveal
  /// it.
  public struct SecretDigest: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates a digest from its 64 hexadecimal digits; nil for another text.
    public init?(hex text: String) {
      guard let bytes = try? Hex.decode(text), bytes.count == 32 else { return nil }
      self.bytes = bytes
    }

    /// Creates the digest of a secret.
    public init(of secret: String) {
      bytes = Digest.sha256(Array(secret.utf8))
    }

    /// The digest in hexadecimal digits.
    public var hex: String { Hex.encode(bytes) }

    /// Returns whether one of the digests is that of a secret. The time does not depend on the secret.
    static func match(_ digests: [SecretDigest], _ secret: String) -> Bool {
      let presented = Digest.sha256(Array(secret.utf8))
      return digests.reduce(false) { (found, digest) in constantTimeEquals(digest.bytes, presented) || found }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The API of one service: its routes, messages, tokens, names and limits, read from a JSON document.
///
/// A server serves a profile and a client speaks it. See <doc:ProfileDocument> for the members of the document.
public struct ServiceProfile: Hashable, Sendable {
  /// The name of the profile.
  public var name: String

  /// The names that accounts have.
  public var identifiers = Identifiers()

  /// The options of ceremonies.
  public var ceremonies = Ceremonies()

  /// The lifetimes and the delivery of sessions.
  package var sessions = Sessions()

  /// The rule for creating accounts.
  package var signUp = SignUp()

  /// The replies to requests for a recovery.
  public var recovery = Recovery()

  /// The names of header fields.
  public var headers = Headers()

  /// The values that a client computes, by their names.
  package var values: [String: ComputedValue] = [:]

  /// The rate limits.
  public var limits = Limits()

  /// The form of errors.
  public var errors: Errors

  /// The endpoints that the service has.
  package var endpoints: [EndpointName: EndpointContract] = [:]

  /// Returns the contract of an endpoint; nil if the service does not have it.
  package subscript(endpoint: EndpointName) -> EndpointContract? { endpoints[endpoint] }
}

extension ServiceProfile: CustomStringConvertible {
  /// The name of the profile.
  public var description: String { name }
}

extension ServiceProfile {
  /// The names that accounts have, and the form of their identifiers.
  public struct Identifiers: Hashable, Sendable {
    /// Whether accounts have a name of one kind.
    public enum Presence: String, Hashable, Sendable, CaseIterable {
      /// No account has one.
      case none
      /// An account may have one.
      case optional
      /// Every account has one.
      case required
    }

    /// Whether accounts have user names.
    public var username = Presence.none
    /// Whether accounts have email addresses.
    public var email = Presence.required
    /// The length of a user name in characters.
    package var usernameLength: ClosedRange<Int> = 1...64
    /// Whether the begin of a registration already refuses a taken user name. Its end always does.
    package var refusesTakenUsernames = false
    /// The form of account identifiers.
    package var accountID = AccountIDForm.base64URL

    /// Creates the rules of a service whose accounts have an email address.
    package init() {}
  }

  /// The options of ceremonies.
  public struct Ceremonies: Hashable, Sendable {
    /// The values of `residentKey` and `userVerification` (WebAuthn §5.4.6, §5.8.6).
    public enum Requirement: String, Hashable, Sendable, CaseIterable {
      /// The relying party prefers that the authenticator does not use it.
      case discouraged
      /// The relying party prefers it.
      case preferred
      /// The relying party requires it.
      case required
    }

    /// Whether registrations ask for a discoverable credential.
    public var residentKey = Requirement.required
    /// Whether ceremonies ask for user verification.
    public var userVerification = Requirement.required
    /// The lifetime of a ceremony in seconds.
    package var timeoutSeconds = 300
    /// Whether responses of authenticators may have standard base64 in place of base64url.
    package var acceptsAnyBase64 = false

    /// Creates options that require a discoverable credential and user verification.
    package init() {}
  }

  /// The lifetimes and the delivery of sessions.
  public struct Sessions: Hashable, Sendable {
    /// The way in which a session token is sent to the client and back.
    package enum Delivery: String, Hashable, Sendable, CaseIterable {
      /// In the body of the response, then in `Authorization: Bearer …`.
      case bearer
      /// In an `HttpOnly` cookie.
      case cookie
    }

    /// The word before a token in the field `Authorization`.
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
      /// `Bearer`.
      case bearer
      /// None: the field is the token.
      case none
    }

    /// A session cookie.
    public struct Cookie: Hashable, Sendable {
      /// Whether the name has the prefix `__Host-` over TLS.
      public enum Prefix: String, Hashable, Sendable, CaseIterable {
        /// The name has the prefix, so that no sibling domain can set the cookie.
        case host
        /// The name has no prefix, for clients that expect the plain name.
        case none
      }

      /// Whether browsers send the cookie with cross-site requests.
      public enum SameSite: String, Hashable, Sendable, CaseIterable {
        /// Only with top-level navigation, such as a followed link.
        case lax
        /// Never with cross-site requests.
        case strict
      }

      /// The name, without a prefix.
      public var name = "session"
      /// Whether the name has a prefix.
      public var prefix = Prefix.host
      /// Whether browsers send the cookie with cross-site requests.
      package var sameSite = SameSite.lax
      /// The domain to whose hosts browsers send the cookie, such as `shop.example`; nil for this host alone. Only without
      /// a prefix.
      public var domain: String?
      /// The path under which browsers send the cookie. Another than `/` only without a prefix.
      public var path = "/"
      /// Whether the cookie also binds a ceremony to its browser before the sign-in. Otherwise a cookie of its own does,
      /// whose name ends with `.ceremony`, so that a sign-in in one tab does not end the ceremony of another.
      package var carriesCeremony = false
      /// The time for which browsers keep the cookie, in seconds; nil to keep it until they are closed.
      package var maximumAgeSeconds: Int?

      /// Creates a cookie that browsers delete when they are closed.
      public init() {}
    }

    /// The renewal of sessions by refresh tokens.
    package struct Refresh: Hashable, Sendable {
      /// The lifetime of a refresh token in seconds.
      package var tokenSeconds = 14 * 86_400
      /// The time after its opening for which a session can be renewed, in seconds.
      package var sessionSeconds = 90 * 86_400

      /// Creates the default: two weeks for a token, 90 days in total.
      package init() {}
    }

    /// The allowed deliveries; the first one is used where the request does not decide. A client may use no sessions at
    /// all.
    package var deliveries = [Delivery.bearer]
    /// The word before a token.
    package var scheme = Scheme.bearer
    /// The session cookie.
    public var cookie = Cookie()
    /// The lifetime of an access token in seconds.
    package var lifetimeSeconds = 900
    /// The idle time-out in seconds; nil for none.
    package var idleSeconds: Int?
    /// The seconds without a request after which a session's user must be verified again; nil for never.
    package var verificationSeconds: Int?
    /// The time before its end at which a session is reported as about to expire, in seconds.
    package var warningSeconds = 120
    /// The renewal of sessions; nil for none.
    package var refresh: Refresh?

    /// Creates the default: bearer tokens that expire after 15 minutes.
    package init() {}

    /// Whether a delivery is allowed.
    package func allows(_ delivery: Delivery) -> Bool { deliveries.contains(delivery) }
  }

  /// The rule for creating accounts.
  package struct SignUp: Hashable, Sendable {
    /// The requirement for creating an account.
    package enum Policy: String, Hashable, Sendable, CaseIterable {
      /// None: anyone can create an account.
      case open
      /// An invitation code.
      case invitation
      /// The approval of an administrator before the account can be used.
      case approval
    }

    /// The requirement for creating an account.
    package var policy = Policy.open
    /// Whether accounts that wait for approval may hold tokens. Their sessions may call only the endpoints that admit them.
    package var pendingAccountsHoldTokens = false

    /// Creates the default: anyone can create an account.
    package init() {}
  }

  /// The replies to requests for a recovery.
  public struct Recovery: Hashable, Sendable {
    /// Whether a service that mails no recovery codes replies to a request as if it did, for clients that expect the same
    /// reply everywhere. Then an administrator recovers the account.
    package var repliesWithoutMail = false

    /// Creates the default: a service that mails no recovery codes refuses the request.
    package init() {}
  }

  /// The names of header fields, in lower case.
  public struct Headers: Hashable, Sendable {
    /// The request header with a step-up grant.
    public var stepUp = "passkey-step-up"
    /// The request header with the client mark.
    public var client = "passkey-client"
    /// The request header with the wanted delivery of tokens, `bearer` or `cookie`.
    package var tokens = "passkey-tokens"
    /// The response header with the time when the session expires.
    package var sessionExpiry = "session-expires-at"
    /// The response header with the remaining seconds of a session that is about to expire.
    package var sessionWarning = "session-expires-in"

    /// The fields that a client sends with every request.
    package var sent: [SentHeader] = []

    /// Whether a client sends its origin without a cookie too.
    package var sendsOrigin = false

    /// Creates the default names.
    package init() {}
  }

  /// The form of errors.
  public struct Errors: Hashable, Sendable {
    /// The shape of the response body.
    package var shape: Shape
    /// The content type.
    public var contentType = "application/problem+json"
    /// The HTTP statuses of error codes that differ from the service's own.
    package var statuses: [String: Int] = [:]

    /// Creates a form with this shape.
    package init(shape: Shape) {
      self.shape = shape
    }
  }

  /// The rate limits; nil for the service's own.
  public struct Limits: Hashable, Sendable {
    /// A token bucket.
    package struct Bucket: Hashable, Sendable {
      /// The maximum number of requests in a burst.
      package var burst: Int
      /// The milliseconds after which one more request is allowed.
      package var everyMilliseconds: Int

      /// Creates a bucket.
      package init(burst: Int, everyMilliseconds: Int) {
        self.burst = burst
        self.everyMilliseconds = everyMilliseconds
      }
    }

    /// Ceremony requests of one address.
    package var perAddress: Bucket?
    /// Ceremonies that one address begins for one account.
    package var perAccount: Bucket?
    /// Registrations that one address begins.
    package var registrationsPerAddress: Bucket?
    /// Sign-ins that one address begins.
    package var signInsPerAddress: Bucket?
    /// Status requests of one address.
    package var statusPerAddress: Bucket?
    /// Requests of one address that send a mail.
    package var mailsPerAddress: Bucket?

    /// Creates limits that do not change the service's own.
    package init() {}
  }
}

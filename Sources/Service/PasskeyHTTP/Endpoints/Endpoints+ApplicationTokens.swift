// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnTypes

// Tokens for the back ends of a site: questions about one (RFC 7662), and signed ones (RFC 7519).

extension Endpoints {
  static let applicationTokens = [
    Endpoint(
      name: .introspect, summary: "Tell a back end whose a session token or a signed token is (RFC 7662)",
      standardBody: ("application/x-www-form-urlencoded", .object([.required("token", .string)])),
      answers: [.init(.json(introspection))],
      failures: [.badRequest, .unauthorized, .serviceUnavailable],
      access: .anonymous { try await $0.introspect($1) }),
    Endpoint(
      name: .signedToken, summary: "Sign a short-lived token of the signed-in user for a service",
      standardBody: ("application/json", .object([.required("audience", .string)])),
      answers: [
        .init(
          .json(
            .object([
              .required("token", .string), .required("tokenType", .string), .required("expiresAt", .dateTime),
              .required("expiresIn", .integer),
            ])))
      ],
      failures: Array(Endpoint.statusesOfBodies),
      access: .session { try await $0.signToken($1, $2) }),
    Endpoint(
      name: .keySet, summary: "List the public keys of signed tokens (RFC 7517)",
      answers: [.init(.json(.object([.required("keys", .array(.dictionary(.string)))])))],
      failures: [.notFound],
      access: .anonymous { (endpoints, _) in
        guard let keys = endpoints.site?.tokenKeys.keySet else { throw EndpointError(.notFound) }
        return .document(keys)
      }),
  ]

  private static let introspection = JSONSchema.object([
    .required("active", .boolean), .optional("iss", .string), .optional("sub", .string), .optional("aud", .string),
    .optional("username", .string), .optional("email", .string), .optional("token_type", .string),
    .optional("exp", .integer), .optional("iat", .integer), .optional("auth_time", .integer),
    .optional("acr", .string), .optional("amr", .array(.string)), .optional("sid", .string),
    .optional("roles", .array(.string)),
  ])

  // MARK: Introspection

  private func introspect(_ call: Call) async throws -> Reply {
    guard let site, let backEnd = Self.backEnd(of: call.request, site) else { throw EndpointError(.clientRefused) }
    guard let text = Self.form(call.request)?.queryValue("token"), !text.isEmpty else {
      throw EndpointError(.bodyMissingMember, member: "token")
    }
    guard let found = try await owner(of: text, for: backEnd, site, call) else {
      return .complete(.json { (object: inout JSONObjectWriter) in object.write("active", .bool(false)) })
    }
    let strength = try await service.strength(of: found.session)
    return .complete(
      .json { (object: inout JSONObjectWriter) in
        object.write("active", .bool(true))
        object.write("iss", site.issuer)
        if let audience = found.audience { object.write("aud", audience) }
        object.write("username", found.account.name)
        if let email = found.account.email, found.account.emailVerified != nil { object.write("email", email.text) }
        object.write("token_type", "Bearer")
        object.write("exp", .integer(found.expiry))
        object.write("iat", .integer(found.issued))
        write(found.session, of: found.account, strength, call, to: &object)
      })
  }

  /// A token that is valid at present, with its session.
  private struct FoundToken {
    let session: AccountSession
    let account: Account
    let audience: String?
    let issued: Int64
    let expiry: Int64
  }

  /// Returns the session of a token: a session token, or a signed token for this back end. Returns nil for any other text,
  /// and for a token whose session has ended.
  private func owner(
    of text: String, for backEnd: String, _ site: SiteAccess, _ call: Call
  ) async throws -> FoundToken? {
    let now = call.context.time
    if let token = Token(text) {
      do throws(ServiceError) {
        let session = try await service.authenticate(token, in: call.context)
        return FoundToken(
          session: session.session, account: session.account, audience: nil,
          issued: session.session.created.secondsSince1970, expiry: session.expiry.secondsSince1970)
      } catch {
        if case .storage? = error.cause { throw error }
        return nil
      }
    }
    guard let claims = site.tokenKeys.claims(of: text), let read = SignedToken.Claims(claims),
      read.issuer == site.issuer, read.audience == backEnd, now.secondsSince1970 < read.expiry,
      let handle = call.accountIDs.handle(read.subject).flatMap({ try? UserHandle($0) }),
      let id = AccountSessionID(read.session),
      let (session, account) = try await service.openSession(id, of: handle, at: now)
    else { return nil }
    return FoundToken(
      session: session, account: account, audience: backEnd, issued: read.issued, expiry: read.expiry)
  }

  /// Returns the name of the back end that a request authenticates as (RFC 7617); nil if it is unknown or its secret is
  /// wrong.
  private static func backEnd(of request: EndpointRequest, _ site: SiteAccess) -> String? {
    let scheme = "basic "
    guard let field = request.headers.only("authorization"), field.prefix(scheme.count).lowercased() == scheme,
      let bytes = try? Base64.decode(field.dropFirst(scheme.count).utf8),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    // RFC 6749 §2.3.1: both are encoded as in a form, so that a name can be a URL.
    guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
      let name = RequestTarget.decoded(text[..<colon].utf8, plusIsSpace: true),
      let secret = RequestTarget.decoded(text[text.index(after: colon)...].utf8, plusIsSpace: true),
      let digests = site.backEnds[name], SiteAccess.SecretDigest.match(digests, secret)
    else { return nil }
    return name
  }

  /// Returns the fields of a form; nil if the body is not one.
  private static func form(_ request: EndpointRequest) -> RequestTarget? {
    let type = request.headers.only("content-type")?.prefix { $0 != ";" }.lowercased()
    guard type.map({ QuotedList.trimmed($0.utf8) }) == "application/x-www-form-urlencoded" else { return nil }
    return try? RequestTarget(Array("/?".utf8) + request.body)
  }

  // MARK: Signed tokens

  private func signToken(_ call: Call, _ session: AuthenticatedSession) async throws -> Reply {
    guard let site else { throw EndpointError(.notFound) }
    let body = try JSONBody(call.request)
    let audience = try body.string("audience")
    guard site.audiences.contains(audience) else { throw body.invalid("audience") }
    let token = try await signedToken(for: audience, of: session, site, call)
    return .complete(
      .json { (object: inout JSONObjectWriter) in
        object.write("token", token.text)
        object.write("tokenType", "Bearer")
        object.write("expiresAt", token.expiry)
        object.write("expiresIn", .integer(token.expiry.secondsSince1970 - call.context.time.secondsSince1970))
      })
  }

  /// Returns a token of the signed-in user for a service.
  ///
  /// - Throws: `http.target-malformed` for a service that no setting names; or a code of the service.
  func signedToken(
    for audience: String, of session: AuthenticatedSession, _ site: SiteAccess, _ call: Call
  ) async throws -> SignedToken {
    guard site.audiences.contains(audience) else { throw EndpointError(.targetMalformed) }
    let strength = try await service.strength(of: session.session)
    let now = call.context.time
    let expiry = min(now + site.tokenLifetime, session.expiry)
    let id = Base64URL.encode(try RandomSource.system.bytes(16))
    let text = try site.tokenKeys.token { (claims) in
      claims.write("iss", site.issuer)
      claims.write("aud", audience)
      claims.write("iat", .integer(now.secondsSince1970))
      claims.write("exp", .integer(expiry.secondsSince1970))
      claims.write("jti", id)
      write(session.session, of: session.account, strength, call, to: &claims)
    }
    return SignedToken(text: text, expiry: expiry)
  }

  /// Writes the members about the user and the session that a signed token and an introspection share.
  private func write(
    _ session: AccountSession, of account: Account, _ strength: AccountSession.Strength, _ call: Call,
    to object: inout JSONObjectWriter
  ) {
    object.write("sub", call.accountIDs.text(account.handle.bytes))
    object.write("sid", session.id.description)
    object.write("auth_time", .integer(session.verifiedAt.secondsSince1970))
    object.write("acr", strength.contextClass.rawValue)
    object.writeArray("amr") { (list: inout JSONArrayWriter) in strength.methods.forEach { list.write($0) } }
    object.writeArray("roles") { (list: inout JSONArrayWriter) in
      account.roles.map(\.rawValue).sorted().forEach { list.write($0) }
    }
  }
}

/// A signed token for a service.
struct SignedToken {
  let text: String
  let expiry: UnixTime

  /// The claims by which a token is found again.
  struct Claims {
    let issuer: String
    let audience: String
    let subject: String
    let session: String
    let issued: Int64
    let expiry: Int64

    /// Reads the claims; nil if one is missing.
    init?(_ claims: JSONValue) {
      do throws(WireError) {
        issuer = try claims.require("iss").string
        audience = try claims.require("aud").string
        subject = try claims.require("sub").string
        session = try claims.require("sid").string
        issued = try claims.require("iat").integer()
        expiry = try claims.require("exp").integer()
      } catch {
        return nil
      }
    }
  }
}

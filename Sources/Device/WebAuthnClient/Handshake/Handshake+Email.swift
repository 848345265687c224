// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
public import WebAuthnBrowser

extension Handshake {
  /// Finishes the verification of an email address with the code from the mail. If it belongs to a registration, the account
  /// exists from now on, and the server may open its session.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid` for a verification of another server,
  ///   `client.refused-by-server`, `client.reply-malformed`, or the code of a failed transfer, such as
  ///   `client.unreachable`. After a wrong code, ``/WebAuthnBrowser/Problem/attemptsLeft`` says how many more can be tried.
  public func verifyEmail(
    _ verification: AddressVerification, code: String
  ) async throws(ClientError) -> VerifiedAddress {
    var values = try values(of: verification)
    values.set(.code, code)
    let request = try request(.verifyEmail, values, of: verification.user)
    let reply = try await ask(request)
    let found = try self.values(reply, to: request, at: .verifyEmail)
    let account = ServerAccount(found, of: verification.user)
    let isPending = reply.status == 202 || account.state == "pending"
    let opensSession = !isPending || profile.signUp.pendingAccountsHoldTokens
    return VerifiedAddress(
      account: account, session: opensSession ? session(openedBy: reply, found, of: verification.user) : nil,
      isPending: isPending)
  }

  /// Has the code of a verification sent again.
  ///
  /// - Returns: The verification to finish, whose expiry may be later.
  /// - Throws: The codes of ``verifyEmail(_:code:)``.
  package func resend(_ verification: AddressVerification) async throws(ClientError) -> AddressVerification {
    let request = try request(.resendVerification, values(of: verification), of: verification.user)
    let reply = try await ask(request)
    return try required(
      self.verification(
        in: self.values(reply, to: request, at: .resendVerification), user: verification.user,
        address: verification.address), reply, request)
  }

  /// Begins to verify the address of the signed-in account.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`,
  ///   `client.reply-malformed`, or the code of a failed transfer, such as `client.unreachable`.
  package func beginVerification(in session: inout ServerSession) async throws(ClientError) -> AddressVerification {
    let request = try request(.beginVerification, in: session)
    let reply = try await ask(request, in: &session)
    return try required(
      verification(
        in: values(reply, to: request, at: .beginVerification), user: session.user, address: Self.address(session.user)),
      reply,
      request)
  }

  /// Begins to change the address of the signed-in account, after the user confirms if the server demands it. The account
  /// keeps its address until the verification is finished with the code that the new address gets.
  ///
  /// - Throws: A code of ``stepUp(method:path:body:wantsReceipt:in:)``.
  package func changeEmail(
    to address: String, in session: inout ServerSession
  ) async throws(ClientError) -> AddressVerification {
    var values = ShapeValues()
    values.set(.accountEmail, address)
    let request = try request(.changeEmail, values, in: session)
    let reply = try await send(request, to: .changeEmail, in: &session)
    return try required(
      verification(in: self.values(reply, to: request, at: .changeEmail), user: session.user, address: address), reply,
      request)
  }

  /// Has a recovery code sent to an address. The server answers alike whether an account has it.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  package func requestRecovery(of address: String) async throws(ClientError) {
    var values = ShapeValues()
    values.set(.accountEmail, address)
    _ = try await ask(try request(.requestRecovery, values, of: address))
  }

  /// Cancels the recovery of the signed-in account that waits.
  ///
  /// - Throws: `client.endpoint-missing`, `client.session-invalid`, `client.refused-by-server`, or the code of a failed
  ///   transfer, such as `client.unreachable`.
  package func cancelRecovery(in session: inout ServerSession) async throws(ClientError) {
    _ = try await ask(try request(.cancelRecovery, in: session), in: &session)
  }

  /// Cancels the recovery that waits with the code for that from its mail.
  ///
  /// - Throws: `client.endpoint-missing`, `client.refused-by-server`, or the code of a failed transfer, such as
  ///   `client.unreachable`.
  package func cancelRecovery(code: String) async throws(ClientError) {
    var values = ShapeValues()
    values.set(.code, code)
    _ = try await ask(try request(.cancelRecovery, values))
  }

  /// Returns the verification in the values of a reply; nil if the reply has none.
  func verification(in values: ShapeValues, user: String?, address: String?) -> AddressVerification? {
    guard let token = values.secret(.verificationToken), Self.isToken(token) else { return nil }
    return AddressVerification(
      server: http.server, profile: profile.name, user: user, address: address,
      expiry: values.time(.verificationExpiry), token: token)
  }

  /// Returns the verification that a refused sign-in began, because the address of the account is not verified; nil if the
  /// problem has none.
  public func verification(begunBy problem: Problem, user: String?) -> AddressVerification? {
    guard let token = problem.verification?.token, Self.isToken(token) else { return nil }
    return AddressVerification(
      server: http.server, profile: profile.name, user: user, address: Self.address(user),
      expiry: problem.verification?.expiry,
      token: token)
  }

  /// Returns the name of a user if it is an address.
  private static func address(_ user: String?) -> String? {
    user.flatMap { $0.utf8.contains(UInt8(ascii: "@")) ? $0 : nil }
  }

  private func required(
    _ verification: AddressVerification?, _ reply: ServerReply, _ request: ServerRequest
  ) throws(ClientError) -> AddressVerification {
    guard let verification else { throw reply.malformed(request, "without a verification") }
    return verification
  }

  private func values(of verification: AddressVerification) throws(ClientError) -> ShapeValues {
    guard verification.server == http.server, verification.profile == profile.name else {
      throw ClientError(
        .sessionInvalid, "the verification belongs to \(verification.server.text), not \(http.server.text)")
    }
    var values = ShapeValues()
    values.set(.verificationToken, verification.token.exposedText)
    return values
  }
}

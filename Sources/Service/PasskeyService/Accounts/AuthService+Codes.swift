// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
internal import PasskeyStorage
public import WebAuthnTypes

extension AuthService {
  /// Issues an invitation code, with which a new user creates an active account.
  ///
  /// - Parameters:
  ///   - email: The only address that the code is valid for; nil for any address.
  ///   - roles: The roles of the new account.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The code, valid once, for ``ServicePolicy/invitationLifetime``.
  /// - Throws: `account.role-invalid`; `step-up.required` or `step-up.grant-refused`; `account.not-permitted`; or a
  ///   storage code.
  public func invite(
    _ email: EmailAddress?, roles: Set<Role> = [], by administrator: Administrator,
    confirmation: PresentedConfirmation? = nil, in context: CallContext
  ) async throws(ServiceError) -> OneTimeCode {
    let code = try OneTimeCode(random: random)
    let issued = IssuedCode(
      digest: code.digest, purpose: .invitation, email: email, roles: try Role.roles(roles),
      issuer: administrator.handle, created: context.time, expiry: context.time + policy.invitationLifetime)
    try await issue(
      issued, .invitationIssued, details: ["roles": roles.listed], by: administrator, confirmation, in: context)
    return code
  }

  /// Mails an invitation code to the only address that it is valid for. An account that is created with it has a verified
  /// address, because no other person gets the code.
  ///
  /// - Parameters:
  ///   - email: The address.
  ///   - roles: The roles of the new account.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The expiry time of the code, which is valid once.
  /// - Throws: `email.unavailable` unless the policy mails invitations (``ServicePolicy/Contact/invitations``);
  ///   `account.role-invalid`; `step-up.required` or `step-up.grant-refused`; `account.not-permitted`; or a storage code.
  public func inviteByMail(
    _ email: EmailAddress, roles: Set<Role> = [], by administrator: Administrator,
    confirmation: PresentedConfirmation? = nil, in context: CallContext
  ) async throws(ServiceError) -> UnixTime {
    guard policy.contact.invitations == .email else {
      throw ServiceError(.emailUnavailable, "invitations are not mailed")
    }
    let id = try EmailCeremonyID(at: context.time, random: random)
    let digest = invitationCode(id).digest
    let expiry = context.time + policy.invitationLifetime
    let code = IssuedCode(
      digest: digest, purpose: .invitation, email: email, roles: try Role.roles(roles),
      issuer: administrator.handle, created: context.time, expiry: expiry)
    let ceremony = EmailCeremony(
      id: id, purpose: .invitation, token: digest, account: nil, email: email,
      payload: context.languagePayload, created: context.time, expiry: expiry)
    let (grant, spent) = try grantSpending(administrator, confirmation, in: context)
    let issued = try draft(
      .invitationIssued, by: administrator.handle, of: nil, subject: .code(digest),
      details: ["roles": roles.listed, NoticeMember.ceremony.name: "\(id)"], in: context)
    let start = EmailCeremonyStart(ceremony, code: code, limit: nil, audit: spent, mail: [issued])
    _ = try await administer(administrator, confirmation, in: context) { (storage) throws(StorageError) in
      try await storage.begin(start, spending: grant)
    }
    return expiry
  }

  /// Issues a recovery code, with which the owner of an account registers another passkey, once. It invalidates earlier
  /// codes for the account.
  ///
  /// - Parameters:
  ///   - handle: The handle of the account.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - confirmation: The confirmation of this action. Only the console needs none.
  ///   - context: The time and origin of the request.
  /// - Returns: The code, valid for ``ServicePolicy/recoveryLifetime``.
  /// - Throws: `account.unknown`; `step-up.required` or `step-up.grant-refused`; `account.not-permitted`; or a storage
  ///   code.
  public func recover(
    _ handle: UserHandle, by administrator: Administrator, confirmation: PresentedConfirmation? = nil,
    in context: CallContext
  ) async throws(ServiceError) -> OneTimeCode {
    let code = try OneTimeCode(random: random)
    let issued = IssuedCode(
      digest: code.digest, purpose: .recovery, account: handle, issuer: administrator.handle, created: context.time,
      expiry: context.time + policy.recoveryLifetime)
    try await issue(issued, .recoveryIssued, details: [:], by: administrator, confirmation, in: context)
    return code
  }

  private func issue(
    _ code: IssuedCode, _ event: AuditEvent, details: [String: String], by administrator: Administrator,
    _ confirmation: PresentedConfirmation?, in context: CallContext
  ) async throws(ServiceError) {
    let (grant, spent) = try grantSpending(administrator, confirmation, in: context)
    let drafts =
      spent + [
        try draft(
          event, by: administrator.handle, of: code.account, subject: .code(code.digest), details: details, in: context)
      ]
    try await administer(administrator, confirmation, in: context) { (storage) throws(StorageError) in
      try await storage.issue(code, spending: grant, audit: drafts)
    }
  }
}

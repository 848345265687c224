// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnAttestation
internal import WebAuthnRelyingParty
package import WebAuthnTypes

extension AuthService {
  /// The attestation policy of registrations and reassessments.
  public var attestationPolicy: AttestationPolicy { current.value.policy.attestation }

  /// Replaces the attestation policy, for example with one that has newer metadata. Later registrations and
  /// reassessments use it, including registrations that have begun.
  public func replaceAttestationPolicy(_ policy: AttestationPolicy) {
    current.replaceAttestation(policy)
  }

  /// Returns the name of a model for display, from the built-in table of passkey providers or from the metadata.
  /// Returns nil if neither contains the model. Most providers do not attest the model, so an authenticator can claim
  /// any.
  package func providerName(of aaguid: AAGUID) -> String? {
    aaguid.providerName ?? metadataName(of: aaguid)
  }

  private func metadataName(of aaguid: AAGUID) -> String? {
    current.value.policy.attestation.trustAnchors.metadata?[aaguid]?.statement?.description
  }

  /// Verifies the stored attestation of passkeys again under the current policy, one page of passkeys at a time.
  ///
  /// - Parameters:
  ///   - id: ``AttestationReview/last`` of the previous page; nil for the first page.
  ///   - limit: The number of passkeys to verify. A page never has more than 500.
  ///   - administrator: The proof of the right to administer accounts.
  ///   - context: The time and origin of the request. Status reports are evaluated at this time.
  /// - Returns: The refused passkeys of the page.
  /// - Throws: A storage code.
  package func reviewAttestation(
    after id: CredentialID? = nil, limit: Int = 500, by administrator: Administrator, in context: CallContext
  ) async throws(ServiceError) -> AttestationReview {
    let limit = min(max(limit, 1), Self.pageLength)
    let relyingParty = current.value
    let page = try await stored(async: await storage.passkeys(after: id, limit: limit))
    var refused: [RefusedPasskey] = []
    for passkey in page {
      guard let error = relyingParty.refusal(of: passkey, at: context.time) else { continue }
      let account = try await stored(async: await storage.account(passkey.user))
      // An account that is erased meanwhile takes its passkeys with it.
      if let account { refused.append(RefusedPasskey(passkey: passkey, account: account, reason: error)) }
    }
    return AttestationReview(
      refused: refused, count: page.count, last: page.count == limit ? page.last?.record.id : nil)
  }

  /// Acts on a passkey whose attestation is refused, and records it.
  ///
  /// - Parameters:
  ///   - refused: The passkey, from ``reviewAttestation(after:limit:by:in:)``.
  ///   - action: The action.
  ///   - administrator: The proof of the right to administer accounts. Only the console may act.
  ///   - context: The time and origin of the request.
  /// - Returns: False if the passkey to disable was deleted or is disabled already, so nothing changed; otherwise true.
  /// - Throws: `account.not-permitted` if the administrator is not the console; or a storage code.
  @discardableResult
  package func act(
    on refused: RefusedPasskey, _ action: RefusedPasskey.Action, by administrator: Administrator,
    in context: CallContext
  ) async throws(ServiceError) -> Bool {
    guard administrator.handle == nil else { throw ServiceError(.notPermitted, "only the console") }
    let (id, handle) = (refused.passkey.record.id, refused.account.handle)
    var details = ["aaguid": "\(refused.passkey.aaguid)", "reason": refused.code]
    details["provider"] = providerName(of: refused.passkey.aaguid)
    let event: AuditEvent = action == .disable ? .credentialDisabled : .credentialDistrusted
    let draft = try draft(event, by: nil, of: handle, subject: .credential(id), details: details, in: context)
    switch action {
    case .notify:
      try await append(draft)
      return true
    case .disable:
      return try await stored(async: await storage.disable(id, of: handle, cloneSignal: nil, audit: [draft]))
    }
  }

  /// Throws if the current attestation policy refuses the passkey's stored attestation, unless the service's policy
  /// ignores this.
  func requireAcceptedAttestation(
    of passkey: Passkey, orThrow code: ServiceError.Code, at now: UnixTime
  ) throws(ServiceError) {
    guard policy.storedAttestation == .refuse else { return }
    if let error = current.value.refusal(of: passkey, at: now) { throw ServiceError(code, cause: .ceremony(error)) }
  }
}

extension RelyingParty {
  /// Returns the reason why the current policy refuses a stored passkey, or nil if the policy accepts it.
  ///
  /// A record without an attestation object, such as an imported one, is treated as attestation `none`.
  fileprivate func refusal(of passkey: Passkey, at now: UnixTime) -> CeremonyError? {
    do throws(CeremonyError) {
      _ = try reassess(passkey.stored, at: now)
      return nil
    } catch {
      let acceptsNone = policy.attestation.acceptableTrust.contains(.noAttestation)
      return error.code == .reassessmentAttestationMissing && acceptsNone ? nil : error
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
package import PasskeyFormats
package import PasskeyTransparencyLog
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The expectations of a verifier: the RP ID, the trusted logs, and optionally the passkeys and the action.
package struct ReceiptPolicy: Sendable {
  /// The RP ID.
  package var relyingPartyID: String

  /// The accepted logs, and the witnesses that must have cosigned.
  package var log: LogPolicy

  /// The accepted public keys, each a COSE_Key; empty for every key that the log vouches for.
  package var publicKeys: [Bytes]

  /// The action that must have been confirmed; nil for any.
  package var action: ProtectedAction?

  /// Creates a policy.
  package init(
    relyingPartyID: String, log: LogPolicy, publicKeys: [Bytes] = [], action: ProtectedAction? = nil
  ) {
    self.relyingPartyID = relyingPartyID
    self.log = log
    self.publicKeys = publicKeys
    self.action = action
  }
}

/// A receipt that fulfills a policy. Only ``ActionReceipt/verify(by:)`` makes one.
package struct VerifiedReceipt: Sendable {
  /// The receipt.
  package let receipt: ActionReceipt

  /// The record of the confirmation: its time, the account, and the outcome of the attestation.
  package let record: AuditRecord

  /// The checkpoint with its witnesses.
  package let checkpoint: VerifiedCheckpoint

  /// The origin of the page or app in which the action was confirmed.
  package let origin: String
}

extension ActionReceipt {
  /// Verifies the receipt, in the order of Documentation/Receipts.md.
  ///
  /// - Throws: A ``ReceiptError`` with the first check that fails.
  package func verify(by policy: ReceiptPolicy) throws(ReceiptError) -> VerifiedReceipt {
    guard relyingPartyID.utf8.elementsEqual(policy.relyingPartyID.utf8) else {
      throw ReceiptError(.relyingPartyMismatch, "\(relyingPartyID), expected \(policy.relyingPartyID)")
    }
    if let expected = policy.action, expected != action {
      let isOtherBody = expected.description == action.description
      throw ReceiptError(.actionMismatch, isOtherBody ? "another body" : "\(action), expected \(expected)")
    }
    let origin = try verifyAssertion()
    guard policy.publicKeys.isEmpty || policy.publicKeys.contains(assertion.publicKey) else {
      throw ReceiptError(.keyMismatch, Base64URL.encode(assertion.publicKey))
    }
    let (record, checkpoint) = try verifyRecord(by: policy.log)
    return VerifiedReceipt(receipt: self, record: record, checkpoint: checkpoint, origin: origin)
  }

  /// Verifies that the key of the receipt signed the action, and returns the origin. Says nothing about whose key it is.
  ///
  /// - Throws: A ``ReceiptError`` with the first check that fails.
  package func verifyAssertion() throws(ReceiptError) -> String {
    let clientData = try mapError(ClientData(parsing: assertion.clientDataJSON)) { (error: FormatError) in
      ReceiptError(.clientDataInvalid, "\(error)")
    }
    guard clientData.type == .get else { throw ReceiptError(.clientDataInvalid, "type \(clientData.type.rawValue)") }
    guard StepUpAction.digest(inSealedChallenge: clientData.challenge) == action.digest else {
      throw ReceiptError(.challengeMismatch, "the challenge does not name \(action)")
    }
    let data = try mapError(AuthenticatorData(parsing: assertion.authenticatorData)) { (error: FormatError) in
      ReceiptError(.userNotVerified, "\(error)")
    }
    guard data.relyingPartyIDHash.elementsEqual(Digest.sha256(Array(relyingPartyID.utf8))) else {
      throw ReceiptError(.relyingPartyMismatch, "the authenticator data are not for \(relyingPartyID)")
    }
    guard data.flags.isSuperset(of: [.userPresent, .userVerified]) else {
      throw ReceiptError(.userNotVerified, "flags \(data.flags.rawValue)")
    }
    let key = try mapError(COSEKey(parsing: assertion.publicKey)) { (error: COSEError) in
      ReceiptError(.keyInvalid, "\(error)")
    }
    let hash = Digest.sha256(assertion.clientDataJSON)
    try mapError(key.verify(assertion.signature, over: assertion.authenticatorData, followedBy: hash)) {
      (error: PasskeyCryptoError) in ReceiptError(.signatureInvalid, "\(error)")
    }
    return clientData.origin
  }

  private func verifyRecord(
    by policy: LogPolicy
  ) throws(ReceiptError) -> (record: AuditRecord, checkpoint: VerifiedCheckpoint) {
    let refused = { (error: TransparencyLogError) in ReceiptError(.logRefused, "\(error)") }
    let verified = try mapError(policy.verify(checkpoint), refused)
    let state = verified.checkpoint
    guard state.origin.utf8.starts(with: "\(relyingPartyID)/audit/".utf8) else {
      throw ReceiptError(.logRefused, "\(state.origin.prefix(80)) is not the audit log of \(relyingPartyID)")
    }
    try mapError(
      inclusion.verify(TreeHash(ofEntry: record), inTreeOf: state.size, root: state.root), refused)
    let entry = try mapError(AuditRecord(parsing: record)) { (error: ServiceError) in
      ReceiptError(.recordMismatch, "\(error)")
    }
    let expected = Base64URL.encode(assertion.digest)
    guard entry.event == .stepUpConfirmed, entry.outcome == AuditDraft.success,
      entry.subject == AuditSubject.action(action.digest).text, entry.details[Self.assertionName] == expected
    else { throw ReceiptError(.recordMismatch, "the record is \(entry.event.rawValue) of another confirmation") }
    return (entry, verified)
  }

  /// The detail of a record with the digest of the assertion, and the one with the outcome of the attestation.
  package static let assertionName = "assertion"
  package static let attestationName = "attestation"
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension AuthService {
  /// Makes the receipt of a confirmation: a file of JSON with which others verify offline that the user confirmed the action.
  ///
  /// The service keeps nothing of it, so only the confirmation that ``finishStepUp(_:by:in:)`` has just returned can get one.
  /// Its proof leads to a checkpoint of the audit log. That is signed by the next pass, within about a second if
  /// `passkey-server` runs, otherwise by ``sweep(at:)``.
  ///
  /// - Parameters:
  ///   - granted: The confirmation.
  ///   - action: The confirmed action.
  ///   - patience: How long to wait for a checkpoint.
  /// - Returns: The receipt; nil if no checkpoint covers the confirmation yet, if no assertion confirmed the action, if the log
  ///   cannot prove it, or if a part of it cannot be in a receipt.
  /// - Throws: `step-up.action-invalid` if another action was confirmed; or a storage code.
  public func receipt(
    for granted: GrantedConfirmation, of action: ProtectedAction, waitingAtMost patience: Duration = .zero
  ) async throws(ServiceError) -> [UInt8]? {
    guard granted.actionDigest == action.digest else {
      throw ServiceError(.stepUpActionInvalid, "the receipt is for another action than the confirmed one")
    }
    guard let evidence = granted.evidence, let number = try await recentNumber(of: evidence) else { return nil }
    var left = patience
    while true {
      do throws(ServiceError) {
        let proof = try await auditProof(of: .number(number))
        return try? ActionReceipt(relyingParty.id.text, action, evidence.assertion, proof: proof).encoded
      } catch {
        // The confirmation is granted, also if the log was changed.
        if error.code == .auditLogMismatch { return nil }
        guard error.code == .auditRecordUnproven else { throw error }
      }
      guard left > .zero, (try? await Task.sleep(for: Self.receiptPause)) != nil else { return nil }
      left -= Self.receiptPause
    }
  }

  /// Returns the number of a record that was committed a moment ago.
  private func recentNumber(of evidence: ConfirmationEvidence) async throws(ServiceError) -> Int64? {
    let start = max(0, try await lastAuditNumber() - Self.recentRecordCount)
    return try await auditEntries(after: start, of: evidence.account, limit: Int(Self.recentRecordCount))
      .last { (entry) in entry.record.id == evidence.record }?.record.sequence
  }

  // 10,000 records [those of some seconds on a busy server; an index finds those of the account]
  private static var recentRecordCount: Int64 { 10_000 }

  // 100 ms [a sequencer passes each 250 ms while records arrive]
  private static var receiptPause: Duration { .milliseconds(100) }
}

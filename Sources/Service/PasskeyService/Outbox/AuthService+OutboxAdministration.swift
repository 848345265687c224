// SPDX-License-Identifier: Apache-2.0

// Changes of the outbox by an administrator over the network. The console calls the functions without a confirmation.

extension AuthService {
  /// Makes the selected notices due now, as ``requeue(_:at:)`` does. The audit trail names the administrator.
  ///
  /// - Returns: The number of notices.
  /// - Throws: `step-up.required` without a token, `step-up.grant-refused` if the confirmation is spent, expired, or for
  ///   another action or session; or a storage code.
  package func requeue(
    _ selection: OutboxSelection, by administrator: Administrator, confirmation: PresentedConfirmation,
    in context: CallContext
  ) async throws(ServiceError) -> Int {
    try await spend(confirmation, by: administrator, for: "outbox.retry", in: context)
    return try await requeue(selection, at: context.time)
  }

  /// Deletes the selected notices, as ``drop(_:at:)`` does. The audit trail names the administrator.
  ///
  /// - Returns: The number of notices.
  /// - Throws: `step-up.required` without a token, `step-up.grant-refused` if the confirmation is spent, expired, or for
  ///   another action or session; or a storage code.
  package func drop(
    _ selection: OutboxSelection, by administrator: Administrator, confirmation: PresentedConfirmation,
    in context: CallContext
  ) async throws(ServiceError) -> Int {
    try await spend(confirmation, by: administrator, for: "outbox.drop", in: context)
    return try await drop(selection, at: context.time)
  }

  /// Spends an administrator's confirmation first, because the outbox is not changed in the transaction of an audit record.
  private func spend(
    _ confirmation: PresentedConfirmation, by administrator: Administrator, for change: String,
    in context: CallContext
  ) async throws(ServiceError) {
    guard let session = administrator.session else { return }
    _ = try await spend(confirmation, by: session, details: ["change": change], in: context)
  }
}

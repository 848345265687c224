// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import PasskeyStorage
internal import WebAuthnTypes

extension SpentConfirmation {
  /// The answer of a confirmed action, which the store keeps with the spent confirmation.
  public struct KeptAnswer: Hashable, Sendable {
    /// The bytes that the action returned.
    public let bytes: [UInt8]

    /// Whether an earlier request performed the action, and this one changed nothing.
    public let isRepeated: Bool

    /// Creates an answer from a store's record.
    package init(bytes: [UInt8], isRepeated: Bool) {
      self.bytes = bytes
      self.isRepeated = isRepeated
    }
  }
}

extension AuthService {
  /// Performs a confirmed action as ``perform(_:by:in:_:)``, and keeps its answer in the same transaction.
  ///
  /// A client whose response was lost sends the request again, with the same confirmation. It gets the first answer, and
  /// nothing is performed or recorded twice. The confirmation is the key: only its session can repeat the request, and only
  /// with the same method, path and bytes. The store keeps the answer for an hour, at most until the session ends.
  ///
  /// - Parameters:
  ///   - confirmation: The confirmation of the action.
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:allowing:in:)``.
  ///   - context: The time and origin of the request.
  ///   - body: The action, as for ``perform(_:by:in:_:)``. Returns the answer, at most 64 KiB.
  /// - Returns: The answer, of this request or of the first one.
  /// - Throws: `step-up.required` without a token, `step-up.grant-refused` if the confirmation is spent without a kept answer,
  ///   expired, or for another action or session; or a storage code, also of the body.
  public func performOnce(
    _ confirmation: PresentedConfirmation, by session: AuthenticatedSession, in context: CallContext,
    _ body: @escaping @Sendable (ServiceTransaction) throws(StorageError) -> [UInt8]
  ) async throws(ServiceError) -> SpentConfirmation.KeptAnswer {
    let grant = try confirmation.spending(in: session, at: context)
    let audit = [try draftOfSpending(confirmation, by: session, in: context)]
    return try await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
      let answer = try await stored(
        async: await storage.transactOnce(
          by: session.account.handle, spending: grant, keepingAnswerUntil: context.time + Self.answerLifetime,
          audit: audit
        ) { [self] (transaction) throws(StorageError) in
          let answer = try body(ServiceTransaction(transaction, service: self, session: session, context: context))
          guard answer.count <= Self.maximumAnswerByteCount else {
            throw StorageError(.failed, "an answer of \(answer.count) bytes is too long to be kept")
          }
          return answer
        })
      guard let answer else { throw ServiceError(.stepUpGrantRefused) }
      return answer
    }
  }

  // An hour  [a client that lost a response asks again when it has a connection]
  private static let answerLifetime = Duration.seconds(3_600)

  // 64 KiB  [the answer to an order has some hundred bytes]
  private static let maximumAnswerByteCount = 1 << 16
}

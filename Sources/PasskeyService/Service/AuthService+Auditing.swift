// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension AuthService {
  /// Describes what happens, with the address from which it was asked for, if that is known.
  ///
  /// The address is the actor's. Where nobody was signed in it is taken for the account's: it may be a stranger's, and goes
  /// with the account in either case.
  func draft(
    _ event: AuditEvent, by actor: UserHandle?, of account: UserHandle?, subject: AuditSubject?,
    outcome: String = AuditDraft.success, details: [String: String] = [:], in context: RequestContext
  ) throws(ServiceError) -> AuditDraft {
    var draft = AuditDraft(
      time: context.time, actor: actor, account: account, event: event, subject: subject?.text, outcome: outcome,
      requestID: context.requestID, details: details)
    // Erasing an account leaves no address of its owner behind, so its record does not get one first.
    if let address = context.sourceAddress, event != .accountErased {
      draft.personalDetails = [
        PersonalDetail(
          name: .address, person: actor ?? account, salt: try random.draw(PersonalDetail.saltByteCount),
          value: address)
      ]
    }
    return draft
  }

  /// Records that something was refused. Nothing has changed, so a store that cannot be written to changes nothing about
  /// the refusal.
  func recordRefusal(
    _ event: AuditEvent, of account: UserHandle?, by actor: UserHandle? = nil, subject: AuditSubject?,
    error: ServiceError, in context: RequestContext
  ) async {
    let draft = try? draft(
      event, by: actor, of: account, subject: subject, outcome: error.innermostCode, in: context)
    if let draft { try? await storage.append([draft]) }
  }
}

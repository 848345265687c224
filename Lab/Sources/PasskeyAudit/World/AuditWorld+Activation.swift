// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import WebAuthnClient

extension AuditWorld {
  /// Does what a new account needs before it can sign in: verifies its address by the code of a mail, and has it approved.
  ///
  /// - Throws: ``CannotTell`` if the audit has no way to do so, or if the server refuses.
  func activate(_ person: Person, registeredBy reply: ServerReply, _ begun: BegunCeremony) async throws {
    var reply = reply
    var values = values(reply, to: try request(begun.finish), at: begun.finish)
    if let token = values.text(.verificationToken) {
      recorder.hide([token])
      guard let mailCode = options.mailCode else {
        throw CannotTell("the registration is pending: the server sent a mail with a code; --code-command gets it")
      }
      var proof = ShapeValues()
      proof.set(.verificationToken, token)
      let code = try await mailCode(person.name)
      recorder.hide(code: code)
      proof.set(.code, code)
      let request = try request(.verifyEmail, proof)
      reply = try await send(request)
      try reply.require("verify-email")
      values = self.values(reply, to: request, at: .verifyEmail)
      if let session = handshake.session(openedBy: reply, values, of: person.name) {
        hideSecrets(of: session)
        person.session = session
      }
    }
    guard values.text(.accountState) == "pending" || reply.status == 202 else { return }
    guard let approve = options.approve else {
      throw CannotTell(
        "the registration is pending: \(reply.status)\(values.text(.accountState).map { ", the account is \($0)" } ?? ""); "
          + "--approve-command approves accounts")
    }
    try await approve(person.name)
    // The session of the registration can have the rights of a pending account only.
    person.session = nil
  }
}

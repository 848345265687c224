// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient

// The verification of email addresses with codes from mails.

extension LiveServer {
  /// The verifications that wait for a code, stored for a later command; nil if nothing is stored.
  private var verifications: PrivateStore<AddressVerification>? {
    guard options.keepsSessions, let folder = StateFolder.path(of: Program.passkey.name) else { return nil }
    return PrivateStore(path: folder + "/verifications")
  }

  /// Returns the verification that an earlier command began.
  var waitingVerification: AddressVerification? {
    verifications?.value(at: options.server, profile: options.profile.name, user: options.user)
  }

  /// Stores a verification for a later command, in case that this one cannot finish it.
  func keep(_ verification: AddressVerification) {
    do throws(PrivateStoreError) {
      _ = try verifications?.keep(verification)
    } catch {
      let failure = CommandFailure(error)
      Diagnostics.passkey.note("a later command cannot finish the verification: \(failure.message)")
    }
  }

  /// Deletes a stored verification that has ended. If that fails, the server refuses its next use.
  private func forget(_ verification: AddressVerification) {
    try? verifications?.forget(verification)
  }

  /// Gets the code of a mail and finishes the verification with it. Asks again after a wrong code, as long as the server
  /// allows it. Starts the session that it opens.
  func finish(
    _ verification: AddressVerification, _ purpose: MailPurpose, _ source: MailCodeSource
  ) async throws(CommandFailure) -> VerifiedAddress {
    keep(verification)
    while true {
      let code = try await source.next(for: verification, purpose)
      let refused: CommandFailure
      do throws(SessionError) {
        let verified = try await sessions.perform { () async throws(ClientError) in
          try await handshake.verifyEmail(verification, code: code)
        }
        forget(verification)
        return verified
      } catch {
        refused = CommandFailure(error, options)
        guard case .failed(let cause) = error else { throw refused }
        let problem = cause.problem
        if problem?.code == Self.verificationUnknown { forget(verification) }
        guard let left = problem?.attemptsLeft else { throw refused }
        guard left > 0 else {
          forget(verification)
          throw refused.hinting("no attempts are left: begin again")
        }
        let more = "\(left) attempt\(left == 1 ? "" : "s") left"
        guard source.canAskAgain else { throw refused.hinting("\(more): passkey email verify --code CODE") }
        Diagnostics.passkey.report(refused.hinting(more))
      }
    }
  }

  private static var verificationUnknown: String { "email.verification-unknown" }

  /// Sends the code of a verification again, to the same address.
  func resend(_ verification: AddressVerification) async throws(CommandFailure) -> AddressVerification {
    try await perform(.mail) { () async throws(ClientError) in try await handshake.resend(verification) }
  }
}

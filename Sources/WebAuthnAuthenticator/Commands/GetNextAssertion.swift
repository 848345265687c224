// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

// CTAP 2.3, §6.3, authenticatorGetNextAssertion.

extension SoftwareAuthenticator {
  func getNextAssertion() throws(CTAPError) -> Bytes {
    // 1. A getAssertion sequence is open, and the token that authorized it is still in use (§6).
    // 2. Credentials remain.
    guard var remaining = session.sequences.assertions, let passkey = remaining.credentials.popFirst() else {
      throw CTAPError(.notAllowed, "no assertion is left")
    }
    // A failure ends the sequence.
    session.sequences.assertions = nil
    guard isInForce(remaining.authorization) else { throw CTAPError(.notAllowed, "the token has expired") }
    // 3. The previous assertion is at most 30 s old.
    guard clock.uptime - remaining.since <= DeviceLimits.nextAssertionTimeLimit else {
      throw CTAPError(.notAllowed, "the last assertion was too long ago")
    }
    // 4. Select the next credential.
    // 5. Include its user.
    // 6. Sign the assertion.
    let reply = try assert(with: passkey, remaining.terms, isFirst: false)
    // 7. Restart the timer.
    remaining.since = clock.uptime
    // 8. Advance the credential counter.
    session.sequences.assertions = remaining
    return reply.encoded[...]
  }
}

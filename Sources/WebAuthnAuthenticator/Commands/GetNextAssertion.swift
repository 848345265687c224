// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

// CTAP 2.3, §6.3, authenticatorGetNextAssertion.

extension SoftwareAuthenticator {
  func getNextAssertion() throws(CTAPError) -> Bytes {
    // 1. There was a getAssertion to go on with, and the token that let it through has not ended since (§6).
    // 2. Not all of its credentials have signed.
    guard var remaining = session.sequences.assertions, let passkey = remaining.credentials.popFirst() else {
      throw CTAPError(.notAllowed, "no assertion is left")
    }
    // The sequence goes on only where this one succeeds.
    session.sequences.assertions = nil
    guard isInForce(remaining.authorization) else { throw CTAPError(.notAllowed, "the token has expired") }
    // 3. It is not too long ago.
    guard clock.uptime - remaining.since <= DeviceLimits.nextAssertionTimeLimit else {
      throw CTAPError(.notAllowed, "the last assertion is too long ago")
    }
    // 4. The next credential is taken.
    // 5. The reply tells whose it is.
    // 6. The credential signs.
    let reply = try assert(with: passkey, remaining.terms, isFirst: false)
    // 7. The time runs anew.
    remaining.since = clock.uptime
    // 8. The credential has had its turn.
    session.sequences.assertions = remaining
    return reply.encoded[...]
  }
}

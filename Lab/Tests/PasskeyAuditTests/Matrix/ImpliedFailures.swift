// SPDX-License-Identifier: Apache-2.0

/// The checks that a fault fails beside its own, because one fault can break two statements. Each has its reason.
enum ImpliedFailures {
  static let checks: [String: Set<String>] = [
    // A response to which the challenge stays usable is accepted again, however it is sent.
    "state.assertion-replay": ["state.failed-attempt", "state.parallel"],
    // The flag UV is missing in all of them.
    "authentication.user-verification": ["state.verification-downgrade", "step-up.user-verification"],
    // A deleted passkey is an unknown one.
    "authentication.credential-unknown": ["management.deleted-passkey", "management.erase-passkeys"],
    // The session belongs to the account of the ceremony, and survives its passkey.
    "authentication.other-account": ["management.delete-ends-sessions", "authentication.other-account-in-session"],
    // No challenge is compared, also if the request names one.
    "authentication.challenge-other": ["state.challenge-echoed"],
    // The ID belongs to an account, also if it is the same one.
    "registration.credential-id-taken": ["management.excluded-passkey"],
    // The request names the origin of the subdomain, too.
    "authentication.origin-subdomain": ["authentication.origin-field"],
    "registration.origin-subdomain": ["registration.origin-field"],
    // The sign-in continues the session of the cookie, too.
    "session.sign-in-rotates": ["session.sign-in-replaces"],
    // The cookie of the old session is one that the client chose.
    "session.fixation-cookie": ["session.sign-in-replaces"],
    // An empty member is truncated, too.
    "registration.attestation-object-cut": ["registration.attestation-object-malformed"],
    "authentication.authenticator-data-cut": ["authentication.authenticator-data-malformed"],
    // The options have another size, too.
    "enumeration.options-shape": ["enumeration.options-size"],
    "enumeration.options-credentials": ["enumeration.options-size"],
    "enumeration.options-credentials/length": ["enumeration.options-size"],
    "enumeration.options-credentials/transports": ["enumeration.options-size"],
    // A request without a session gets one at every endpoint.
    "session.missing": [
      "step-up.options-without-session", "management.export-without-session", "management.add-finish-without-session",
    ],
    // The refresh token belongs to the session that stays open.
    "session.sign-out-ends": ["session.sign-out-ends-refresh"],
    // The server deletes a used grant, so it is like one that the server did not issue.
    "step-up.forged-grant": ["step-up.grant-reuse"],
  ]
}

// SPDX-License-Identifier: Apache-2.0

extension Requirement {
  /// All requirements that the page lists, by standard and number.
  package static let all = asvsAuthentication + asvsSessions + nist

  private static let userVerification = [
    "registration.user-verification", "registration.addition-user-verification", "authentication.user-verification",
    "authentication.reverify-user-verification", "state.verification-downgrade", "step-up.user-verification",
  ]

  private static let phishing = [
    "*.origin-*", "*.rp-id-*", "*.cross-origin", "*.top-origin", "*.type-*", "documents.webauthn-*",
  ]

  private static let attestation = [
    "registration.packed-*", "registration.tpm-*", "registration.android-key-*", "registration.safetynet-*",
    "registration.apple-*", "registration.u2f-*", "registration.compound-*", "registration.self-*",
    "registration.format-unknown", "registration.none-statement",
  ]

  private static let challenges = [
    "state.challenge-*", "registration.challenge-*", "authentication.challenge-*",
  ]

  /// V6, Authentication.
  private static let asvsAuthentication: [Requirement] = [
    Requirement(
      .asvs, "6.1.1", "1", "limits against guessing, without strangers locking accounts",
      notJudged: "the documentation of the limits"),
    Requirement(.asvs, "6.1.2–6.1.3", "2", "documented ways to sign in", notJudged: "documents"),
    Requirement(.asvs, "6.2.1–6.2.12", "1–3", "passwords", notJudged: "passwords"),
    Requirement(
      .asvs, "6.3.1", "1", "limits against guessing",
      by: ["limits.sign-in-attempts", "limits.retry-after", "limits.forwarded-for"]),
    Requirement(
      .asvs, "6.3.2", "2", "several factors", by: userVerification,
      notJudged: "ways without a passkey; whether a device verifies its user, of which the flag UV is its word"),
    Requirement(
      .asvs, "6.3.3", "2", "the same strength on all ways", by: ["state.purpose-*"],
      notJudged: "ways that the profile does not have"),
    Requirement(.asvs, "6.3.4–6.3.6", "3", "notices of attempts and changes; no mail as a factor", notJudged: "mails"),
    Requirement(
      .asvs, "6.3.7", "3", "hardware against phishing, with an action of the user",
      by: phishing + ["*.user-presence"] + attestation, notJudged: "whether the server demands hardware"),
    Requirement(.asvs, "6.3.8", "3", "no names of users from errors and times", by: ["enumeration.*"]),
    Requirement(
      .asvs, "6.4.1", "1", "activation codes end with their use",
      notJudged: "randomness and lifetime of the codes"),
    Requirement(
      .asvs, "6.4.2–6.4.6", "1–3", "questions, forgotten passwords, lost factors, renewal, administrators",
      notJudged: "passwords; how a person is identified again"),
    Requirement(.asvs, "6.5.1", "2", "codes work once", by: ["step-up.grant-reuse"]),
    Requirement(.asvs, "6.5.2–6.5.5", "2", "storage, randomness and lifetime of codes", notJudged: "codes of mails"),
    Requirement(
      .asvs, "6.5.6", "3", "factors can be revoked",
      by: ["management.deleted-passkey", "management.delete-ends-sessions", "management.erase-passkeys"]),
    Requirement(.asvs, "6.5.7–6.5.8", "3", "biometrics, clocks of one-time passwords", notJudged: "the device"),
    Requirement(.asvs, "6.6.1–6.6.4", "2–3", "text messages, calls, push notifications", notJudged: "other factors"),
    Requirement(.asvs, "6.7.1", "3", "certificates cannot be changed", notJudged: "the server's storage"),
    Requirement(.asvs, "6.7.2", "3", "challenges are long and unique", by: challenges),
    Requirement(.asvs, "6.8.1–6.8.4", "2", "identity providers", notJudged: "federation"),
  ]

  /// V7, Session Management.
  private static let asvsSessions: [Requirement] = [
    Requirement(.asvs, "7.1.1–7.1.3", "2", "documented lifetimes and numbers of sessions", notJudged: "documents"),
    Requirement(
      .asvs, "7.2.1", "1", "tokens are verified by the server", by: ["session.token-cut", "session.missing"]),
    Requirement(.asvs, "7.2.2", "1", "tokens are made for each session", by: ["session.token-entropy"]),
    Requirement(.asvs, "7.2.3", "1", "tokens have 128 random bits"),
    Requirement(.asvs, "7.2.4", "1", "a sign-in issues a new token, and ends the old one"),
    Requirement(.asvs, "7.3.1", "2", "an end without requests", notJudged: "whether the time fits the risk"),
    Requirement(.asvs, "7.3.2", "2", "an end in any case", notJudged: "whether the time fits the risk"),
    Requirement(.asvs, "7.4.1", "1", "sign-out and expiry end the session", by: ["session.expiry"]),
    Requirement(
      .asvs, "7.4.2", "1", "erasing an account ends its sessions",
      notJudged: "disabled accounts, which need an administrator"),
    Requirement(.asvs, "7.4.3", "2", "changes of factors end other sessions", by: ["session.revoke-others"]),
    Requirement(.asvs, "7.4.4", "2", "every page has a sign-out", notJudged: "pages"),
    Requirement(.asvs, "7.4.5", "2", "administrators end sessions", notJudged: "administrators"),
    Requirement(.asvs, "7.5.1", "2", "a new signature before changes of passkeys", notJudged: "changes of addresses"),
    Requirement(.asvs, "7.5.2", "2", "users see and end their sessions"),
    Requirement(
      .asvs, "7.5.3", "3", "a new signature before sensitive actions", by: ["step-up.*"],
      notJudged: "which actions are sensitive"),
    Requirement(.asvs, "7.6.1–7.6.2", "2", "federation", notJudged: "federation"),
  ]

  private static let nist: [Requirement] = [
    Requirement(
      .nist, "2.2.1", "AAL2", "two factors in one authenticator", by: userVerification,
      notJudged: "whether a device verifies its user, of which the flag UV is its word"),
    Requirement(
      .nist, "2.3.1", "AAL3", "two factors in one authenticator", by: userVerification,
      notJudged: "whether a device verifies its user"),
    Requirement(
      .nist, "2.3.2", "AAL3", "a hardware module that was validated (FIPS 140)", by: attestation,
      notJudged: "whether the server demands such models, and refuses passkeys that can be synced (flag BE)"),
    Requirement(
      .nist, "2.2.2", "AAL2, AAL3 (2.3.2)", "a protected channel", by: ["http.tls-*", "http.plain*", "http.hsts"],
      notJudged: "validated cryptography of the server"),
    Requirement(
      .nist, "2.2.3", "AAL2", "a new sign-in after 24 hours, or an hour without requests (both should)",
      by: ["session.expiry*", "session.idle"], notJudged: "these numbers: checks compare with the profile's"),
    Requirement(
      .nist, "2.3.3", "AAL3", "a new sign-in after 12 hours (shall), or 15 minutes without requests (should)",
      by: ["session.expiry*", "session.idle"], notJudged: "these numbers: checks compare with the profile's"),
    Requirement(
      .nist, "2.4", "all", "controls, records and privacy of the service", notJudged: "the organization"),
    Requirement(.nist, "3.2.2", "AAL2, AAL3", "limits of failed attempts"),
    Requirement(
      .nist, "3.2.4", "AAL2, AAL3", "attestation, where it is used", by: attestation,
      notJudged: "the server's trusted roots"),
    Requirement(
      .nist, "3.2.5", "AAL2 (offered), AAL3", "resistance to phishing", by: phishing,
      notJudged: "other ways to sign in"),
    Requirement(
      .nist, "3.2.7", "AAL2, AAL3", "resistance to replay",
      by: challenges + [
        "state.registration-replay", "state.failed-attempt", "state.parallel", "state.expiry",
        "step-up.replayed-assertion", "authentication.counter-back",
      ]),
    Requirement(
      .nist, "3.2.8", "AAL2 (should), AAL3", "an action that shows intent", by: ["*.user-presence"]),
    Requirement(
      .nist, "3.2.12", "AAL2, AAL3", "random values", by: ["state.challenge-*", "session.token-entropy"],
      notJudged: "the approved generator"),
    Requirement(
      .nist, "4.1.2.1", "AAL2, AAL3", "a further authenticator needs a sign-in of the same strength",
      by: ["step-up.add-credential", "management.add-without-session", "state.addition-session"],
      notJudged: "the notice to the user"),
    Requirement(
      .nist, "4.2.1", "AAL2, AAL3", "recovery codes", by: ["enumeration.recovery"],
      notJudged: "lifetime and length of the codes, and which of them the level needs"),
    Requirement(.nist, "4.5", "AAL2, AAL3", "a lost authenticator is invalid at once"),
    Requirement(.nist, "4.6", "AAL2, AAL3", "notices of changes", notJudged: "mails"),
    Requirement(.nist, "5.1", "AAL2, AAL3", "the secret of a session", by: ["session.token-*", "session.cookie-*"]),
    Requirement(.nist, "5.2", "AAL2, AAL3", "sessions end, and are verified again", by: ["session.expiry*"]),
    Requirement(
      .nist, "B.3", "AAL2", "flags of passkeys that can be synced",
      by: ["*.backup-*", "*.user-presence"] + userVerification,
      notJudged: "the sync service. Such passkeys do not reach AAL3"),
  ]
}

// SPDX-License-Identifier: Apache-2.0

extension Advisory {
  /// All advisories: those of the CVE Program by number, then others.
  package static let all: [Advisory] = [
    Advisory(
      "CVE-2021-32726", "Nextcloud Server", fixed: "19.0.13, 20.0.11, 21.0.3",
      "The passkeys of a deleted user stayed stored, and opened the account of the next user with that name.",
      .found(["management.erase-passkeys"])),
    Advisory(
      "CVE-2021-38299", "Webauthn Framework (PHP)", fixed: "3.3.4", "The flag UP of a sign-in was not checked.",
      .found(["authentication.user-presence"])),
    Advisory(
      "CVE-2022-21449", "OpenJDK, below java-webauthn-server", fixed: nil,
      "ECDSA accepted signatures whose two numbers are zero, so that anyone signed in as anyone.",
      .found(["authentication.signature-zero"])),
    Advisory(
      "CVE-2023-44039", "VeridiumID", fixed: "3.5.0",
      "A client that was allowed to enroll could register its security key for another user.",
      .found(["registration.other-account", "management.add-without-session"])),
    Advisory(
      "CVE-2023-6484", "Keycloak", fixed: "22.0.9, 23.0.5",
      "Error texts that a browser sends with a failed ceremony were written to the log unescaped.",
      .notFound("The log cannot be read from outside.")),
    Advisory(
      "CVE-2024-12225", "Quarkus", fixed: "3.15.3.1",
      "The framework's own sign-in endpoints stayed reachable beside those of the application, without its checks.",
      .notFound(
        "An audit tests the endpoints in its profile. A second profile with the framework's endpoints judges them.")),
    Advisory(
      "CVE-2024-39912", "webauthn-lib (PHP)", fixed: "4.9.0", "Only the options for known names listed passkeys.",
      .found(["enumeration.options-credentials"])),
    Advisory(
      "CVE-2025-12150", "Keycloak", fixed: nil, "The format `none` was accepted where the policy demands attestation.",
      .notFound("Options state a preference for attestation, and browsers may remove it. The policy is not visible.")),
    Advisory(
      "CVE-2025-53102", "Discourse", fixed: "3.4.7, 3.5.0.beta.8",
      "The challenge stayed in the session after a sign-in, and could be used again.",
      .found(["state.assertion-replay"])),
    Advisory(
      "CVE-2025-71279", "XenForo", fixed: "2.3.7", "Not published.",
      .notFound("The advisory does not say what was wrong.")),
    Advisory(
      "CVE-2025-71400", "better-auth, passkey plugin", fixed: "1.4.0",
      "Every signed-in user could delete the passkeys of others by their IDs.",
      .found(["management.delete-foreign"])),
    Advisory(
      "CVE-2026-0723", "GitLab", fixed: "18.6.4, 18.7.2, 18.8.2",
      "The result of a check was ignored: after two different IDs in a response, nothing else was verified.",
      .found(["authentication.ids-disagree"])),
    Advisory(
      "CVE-2026-8830", "Keycloak", fixed: nil,
      "Algorithms and other demands of the policy were enforced by the page only, not by the server.",
      .found(["registration.algorithm", "registration.attachment", "registration.resident-key"])),
    Advisory(
      "CVE-2026-19117", "Delinea Secret Server", fixed: "12.2.7, 12.1.3, 12.0.23, 11.9.48, 11.8.2, 11.7.62",
      "An attacker could register a security key for another account, under conditions that are not published.",
      .found([
        "registration.other-account", "management.add-without-session", "management.add-finish-without-session",
      ])),
    Advisory(
      "CVE-2026-28787", "OneUptime", fixed: nil,
      "The expected challenge was taken from the request, so that a recorded sign-in always worked.",
      .found(["state.challenge-echoed"])),
    Advisory(
      "CVE-2026-30964", "webauthn-lib (PHP)", fixed: "5.2.4",
      "Origins were compared by host only, without scheme and port.",
      .found([
        "authentication.origin-scheme", "authentication.origin-port", "registration.origin-scheme",
        "registration.origin-port",
      ])),
    Advisory(
      "CVE-2026-37982", "Keycloak", fixed: nil,
      "A mailed link to enroll a passkey could be used again, by anyone who saw it.",
      .found(["state.recovery-replay", "state.invitation-replay"])),
    Advisory(
      "CVE-2026-46419", "java-webauthn-server", fixed: "2.8.2",
      "The owner of the passkey was not compared with the named user.", .found(["authentication.other-account"])),
    Advisory(
      "CVE-2026-47841", "Spring Security", fixed: nil,
      "Options that were stored in a shared session lost their demand for user verification.",
      .found(
        ["authentication.user-verification", "registration.user-verification"],
        if: "the audited server stores its sessions in this way")),
    Advisory(
      "CVE-2026-48087", "OpenReception", fixed: "1.0.2",
      "The end of a registration named the account in its URL, and was not compared with its beginning.",
      .found(["registration.other-account"], if: "the request names the account in its body")),
    Advisory(
      "CVE-2026-54460", "OpenReception", fixed: "1.1.1",
      "A passkey was added to any account without a session, and without verifying the registration.",
      .found(["management.add-finish-without-session", "registration.challenge-other"])),
    Advisory(
      "CVE-2026-73278", "Gitea", fixed: nil,
      "Sign-ins through OAuth and OpenID Connect did not ask for the passkey of an account with a second factor.",
      .notFound("An audit signs in with passkeys only. It does not know the other ways into an account.")),
    Advisory(
      "CVE-2026-82466", "Rodauth", fixed: "2.46.0",
      "A signed-in user could sign in to any account: the passkey was looked up by the session, the account by name.",
      .found(["authentication.other-account-in-session"])),
    Advisory(
      "CVE-2026-107808", "Nginx UI", fixed: "2.5.0",
      "A password alone opened accounts whose second factor is a passkey.",
      .notFound("An audit signs in with passkeys only. It does not know the other ways into an account.")),
    Advisory(
      "CVE-2026-111949", "miniOrange 2FA", fixed: "6.3.1",
      "Between password and passkey, a sign-in could register another passkey.",
      .notFound("An audit signs in with passkeys only, and has no sign-in that waits for a second factor.")),
    Advisory(
      "CVE-2026-115828", "Delinea Secret Server", fixed: "12.3.1",
      "PIN or biometrics of a security key were not always demanded.",
      .found([
        "authentication.user-verification", "authentication.reverify-user-verification", "step-up.user-verification",
      ])),
    Advisory(
      "CVE-2026-126952", "Zipline", fixed: nil,
      "A sign-in with the ID of a passkey opened a session without verifying the signature.",
      .found(["authentication.signature-other-key", "authentication.signature-empty"])),
    Advisory(
      "CVE-2026-132694", "MediaWiki, OATHAuth", fixed: "1.46.3",
      "Security keys that were registered as a second factor signed in without a password.",
      .notFound("Which use a passkey was registered for is a setting of the account that no profile describes.")),
    Advisory(
      "CVE-2026-134320", "better-auth/passkey", fixed: "1.7.16",
      "The flag UV was not checked, and the expected origin was taken from the request.",
      .found([
        "authentication.user-verification", "registration.user-verification", "authentication.origin-field",
        "registration.origin-field",
      ])),
    Advisory(
      "GHSA-5mw8-wv8h-h6hx", "Contao", fixed: "5.7.17, 6.0.6",
      "A passkey of one part of the site signed in to the other.",
      .notFound("A profile describes one part of a site, with one set of accounts.")),
    Advisory(
      "GHSA-6hxq-p678-4hr2", "SimpleWebAuthn", fixed: "13.3.2",
      "An attestation statement could bring its own root certificate in place of the trusted ones.",
      .notFound("The server's trusted roots are unknown to an audit, which has no statement that they issued.")),
    Advisory(
      "GHSA-g4c6-hq9j-38x7", "MyAuthenticator", fixed: "0.3.1", "Anyone could register a passkey of the owner.",
      .found(["management.add-without-session", "management.add-finish-without-session"])),
    Advisory(
      "GHSA-gq4g-fpc9-vjfq", "webauthn-lib (PHP)", fixed: "5.3.5",
      "Without a secret, the passkeys of unknown names followed from the name, so that anyone could tell them.",
      .found(["enumeration.decoys-predictable"], if: "the IDs are digests of the name, or HMAC with an empty key")),
    Advisory(
      "GHSA-h4fw-6r7f-w494", "Webauthn Framework (PHP)", fixed: "5.3.1",
      "The request for options could lower the demand for user verification.",
      .found(["state.verification-downgrade"])),
    Advisory(
      "GHSA-hp74-gm6m-2qm5", "Pocket ID", fixed: nil,
      "A recent session counted as a confirmation by passkey, also if a link or a sign-up had opened it.",
      .found(["step-up.after-registration", "step-up.after-refresh"])),
    Advisory(
      "GHSA-v9hx-v6vf-g36j", "WebAuthn4J Spring Security", fixed: "0.9.1",
      "The signature counter was not stored, so that copies of authenticators were not noticed.",
      .found(["authentication.counter-back"])),
    Advisory(
      "GHSA-vmf9-6pcv-xr87", "authentik", fixed: "2023.5.6, 2023.6.2",
      "A recovery told whether an account with the name exists.", .found(["enumeration.recovery"])),
  ]
}

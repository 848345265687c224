// SPDX-License-Identifier: Apache-2.0

// The settings of new passkeys, of attestation, and of what sign-in pages are offered.

extension Setting {
  static let algorithms = Self(
    name: "algorithm", valueName: "NAME", isList: true,
    help: "an algorithm for new passkeys, the most preferred first (ES256, EdDSA, ES384, PS256, RS256)")
  static let attestation = Self(
    name: "attestation", valueName: "KIND", standard: "none", choices: ["none", "indirect", "direct", "enterprise"],
    help: "the attestation to request from authenticators")
  static let metadata = Self(
    name: "metadata", valueName: "FILE|URL",
    help: "FIDO metadata: a file, read again on SIGHUP, or a URL, fetched again when the next update is due (none)")
  static let metadataRoot = Self(
    name: "metadata-root", valueName: "FILE",
    help: "the certificates that sign the metadata, PEM (those of the FIDO Alliance)")
  static let requiredStatuses = Self(
    name: "require-metadata-status", valueName: "STATUS", isList: true,
    help: "accept new passkeys only of models with one of these metadata statuses, such as FIDO_CERTIFIED_L1 (any)")
  static let allowedModels = Self(
    name: "allow-aaguid", valueName: "AAGUID", isList: true,
    help: "accept new passkeys only of these models, proven by attestation (any)")
  static let deniedModels = Self(
    name: "deny-aaguid", valueName: "AAGUID", isList: true, help: "refuse new passkeys that name this model (none)")
  static let statusList = Self(
    name: "attestation-status-list", valueName: "FILE",
    help: "Google's status list of Android attestation certificates, JSON; read again on SIGHUP (none)")
  static let androidChains = Self(
    name: "android-chains", valueName: "RULE", standard: "google", choices: ["google", "strict"],
    help:
      "how to validate chains to Google's roots: as Google does (dates, old batch certificates), or by RFC 5280 alone")
  static let storedAttestation = Self(
    name: "stored-attestation", valueName: "POLICY", standard: "ignore", choices: ["ignore", "refuse"],
    help: "what a sign-in does if the settings above refuse the passkey's stored attestation")

  static let passkeyOffer = Self(
    name: "passkey-offer", valueName: "WHEN", standard: "never", choices: ["never", "cross-device"],
    help: "offer to create a passkey without a dialog after a sign-in with a phone or a security key")
  static let autofillLifetime = Self(
    name: "autofill-lifetime", valueName: "TIME", standard: "30m",
    help: "lifetime of a sign-in that waits in a form")
  static let uiMode = Self(
    name: "ui-mode", valueName: "MODE", standard: "default", choices: ["default", "immediate"],
    help: "user interface that sign-in pages ask for when no account is named")

  /// The settings of new passkeys, attestation and sign-in pages.
  static let attestationSettings: [Setting] = [
    algorithms, attestation, metadata, metadataRoot, requiredStatuses, allowedModels, deniedModels, statusList,
    androidChains, storedAttestation, passkeyOffer, autofillLifetime, uiMode,
  ]
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAuthenticator
internal import WebAuthnTypes

/// The configuration of the software device.
package struct DeviceOptions: Sendable {
  private let unattested: AuthenticatorProfile
  /// The serial number in the certificates of a batch attestation; nil without one.
  private var attestedSerial: String?

  /// The kind of device.
  package static let kind = Option(
    "--kind", "KIND", choices: ["security-key", "passkey-provider"],
    help: "emulate this kind of device: a security key counts signatures, a provider syncs its passkeys (security-key)")
  private static let algorithm = Option<[String]>(
    "--algorithm", "NAME",
    help: "offer only these algorithms, such as ES256 or EdDSA")
  private static let signing = Option(
    "--signing", "MODE", choices: ["randomized", "deterministic"],
    help: "sign with new randomness, which hedges ML-DSA, or reproducibly (randomized, with --seed deterministic)")
  private static let attestation = Option(
    "--attestation", "KIND", choices: ["none", "self", "batch"],
    help: "attestation statement to make (batch for a security key, none for a provider)")
  private static let serial = Option("--serial", "TEXT", help: "serial number in enterprise attestations (1)")
  private static let enterpriseRelyingPartyID = Option<[RelyingPartyID]>(
    "--enterprise-rp-id", "DOMAIN",
    help: "a relying party that may request enterprise attestation")
  private static let backup = Option(
    "--backup", "STATE", choices: ["bound", "eligible", "backed-up"],
    help: "backup state of passkeys (from --kind); backup-eligible ones have no signature counter")
  private static let aaguid = Option("--aaguid", "AAGUID", help: "the device's model identifier")
  private static let nonDiscoverable = Option(
    "--non-discoverable", "PLACE", choices: ["in-id", "in-vault"],
    help: "store the key of a non-discoverable credential sealed in its id, or in the vault (in-id)")
  private static let noFingerprint = Option("--no-fingerprint", help: "emulate a device without a fingerprint sensor")

  package static let options: [any OptionSpecification] = [
    kind, algorithm, signing, attestation, serial, enterpriseRelyingPartyID, backup, aaguid, nonDiscoverable,
    noFingerprint,
  ]

  package init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let isProvider = arguments[Self.kind] == "passkey-provider"
    var profile = isProvider ? AuthenticatorProfile.passkeyProvider : .securityKey
    if arguments.has(Self.algorithm) { profile.algorithms = try Self.algorithms(arguments[Self.algorithm]) }
    if let text = arguments[Self.aaguid] {
      guard let aaguid = AAGUID(uuid: text) else {
        throw .usage(
          "invalid AAGUID \(text.quotedForTerminal)",
          hint: "an AAGUID looks like 00112233-4455-6677-8899-aabbccddeeff")
      }
      profile.aaguid = aaguid
    }
    profile.hasFingerprintSensor = !arguments[Self.noFingerprint]
    profile.sealsNonDiscoverableCredentials = arguments[Self.nonDiscoverable] != "in-vault"
    profile.enterpriseRelyingPartyIDs = arguments[Self.enterpriseRelyingPartyID].map(\.text)
    if let backup = arguments[Self.backup] {
      profile.backup = backup == "bound" ? .deviceBound : .backupEligible(isBackedUp: backup == "backed-up")
    }
    let signing = arguments[Self.signing] ?? (arguments.has(MemoryDevice.seed) ? "deterministic" : "randomized")
    profile.signing = signing == "deterministic" ? .deterministic : .randomized
    switch arguments[Self.attestation] ?? (isProvider ? "none" : "batch") {
    case "none": profile.attestation = .none
    case "self": profile.attestation = .selfSigned
    default: attestedSerial = arguments[Self.serial] ?? "1"
    }
    unattested = profile
  }

  /// Whether the device is part of its machine and verifies users, as pages ask with
  /// `isUserVerifyingPlatformAuthenticatorAvailable()`.
  package var isPlatformVerifier: Bool { unattested.transports.contains(.internal) && unattested.hasFingerprintSensor }

  /// Returns the profile. Makes the certificates of a batch attestation, which costs some signatures.
  ///
  /// They are issued by the public test authority, whose certificate is available to every tester.
  package func profile() throws(CommandFailure) -> AuthenticatorProfile {
    guard let attestedSerial else { return unattested }
    do throws(PasskeyCryptoError) {
      let authority = try TestAttestationAuthority()
      return unattested.withBatchAttestation(
        by: try authority.batch(of: unattested.aaguid),
        enterprise: try authority.enterprise(of: unattested.aaguid, device: attestedSerial))
    } catch {
      throw .inputOutput("cannot create the attestation keys: \(error)")
    }
  }

  private static func algorithms(_ names: [String]) throws(CommandFailure) -> [COSEAlgorithm] {
    let offered = AuthenticatorProfile.everyAlgorithm.filter { (algorithm) in supportedAlgorithms.contains(algorithm) }
    var algorithms: [COSEAlgorithm] = []
    for name in names {
      guard let algorithm = offered.first(where: { (offered) in offered.description.lowercased() == name.lowercased() })
      else {
        let reason = AuthenticatorProfile.everyAlgorithm.first { (known) in
          known.description.lowercased() == name.lowercased()
        }?.unsupportedReason
        throw .usage(
          "--algorithm cannot be \(name.quotedForTerminal)\(reason.map { (reason) in ": \(reason)" } ?? "")",
          hint: "it can be \(offered.map(\.description).joined(separator: ", "))")
      }
      algorithms.append(algorithm)
    }
    return algorithms
  }
}

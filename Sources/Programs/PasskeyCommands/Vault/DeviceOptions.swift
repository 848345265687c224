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

  package static let options = [
    OptionSpecification(
      name: "--kind", value: .init(name: "KIND", choices: ["security-key", "passkey-provider"]),
      help:
        "emulate this kind of device: a security key counts signatures, a provider syncs its passkeys (security-key)"),
    OptionSpecification(
      name: "--algorithm", value: .init(name: "NAME"), isRepeatable: true,
      help: "offer only these algorithms, such as ES256 or EdDSA"),
    OptionSpecification(
      name: "--signing", value: .init(name: "MODE", choices: ["randomized", "deterministic"]),
      help: "sign with new randomness, which hedges ML-DSA, or reproducibly (randomized, with --seed deterministic)"),
    OptionSpecification(
      name: "--attestation", value: .init(name: "KIND", choices: ["none", "self", "batch"]),
      help: "attestation statement to make (batch for a security key, none for a provider)"),
    OptionSpecification(
      name: "--serial", value: .init(name: "TEXT"), help: "serial number in enterprise attestations (1)"
    ),
    OptionSpecification(
      name: "--enterprise-rp-id", value: .init(name: "DOMAIN"), isRepeatable: true,
      help: "a relying party that may request enterprise attestation"),
    OptionSpecification(
      name: "--backup", value: .init(name: "STATE", choices: ["bound", "eligible", "backed-up"]),
      help: "backup state of passkeys (from --kind); backup-eligible ones have no signature counter"
    ),
    OptionSpecification(name: "--aaguid", value: .init(name: "AAGUID"), help: "the device's model identifier"),
    OptionSpecification(
      name: "--non-discoverable", value: .init(name: "PLACE", choices: ["in-id", "in-vault"]),
      help: "store the key of a non-discoverable credential sealed in its id, or in the vault (in-id)"),
    OptionSpecification(name: "--no-fingerprint", help: "emulate a device without a fingerprint sensor"),
  ]

  package init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let isProvider = arguments["--kind"] == "passkey-provider"
    var profile = isProvider ? AuthenticatorProfile.passkeyProvider : .securityKey
    if arguments.has("--algorithm") { profile.algorithms = try Self.algorithms(arguments.all("--algorithm")) }
    if let text = arguments["--aaguid"] {
      guard let aaguid = AAGUID(uuid: text) else {
        throw .usage(
          "invalid AAGUID \(text.quotedForTerminal)",
          hint: "an AAGUID looks like 00112233-4455-6677-8899-aabbccddeeff")
      }
      profile.aaguid = aaguid
    }
    profile.hasFingerprintSensor = !arguments.has("--no-fingerprint")
    profile.sealsNonDiscoverableCredentials = arguments["--non-discoverable"] != "in-vault"
    profile.enterpriseRelyingPartyIDs = try arguments.relyingPartyIDs("--enterprise-rp-id").map(\.text)
    if let backup = arguments["--backup"] {
      profile.backup = backup == "bound" ? .deviceBound : .backupEligible(isBackedUp: backup == "backed-up")
    }
    let signing = arguments["--signing"] ?? (arguments.has("--seed") ? "deterministic" : "randomized")
    profile.signing = signing == "deterministic" ? .deterministic : .randomized
    switch arguments["--attestation"] ?? (isProvider ? "none" : "batch") {
    case "none": profile.attestation = .none
    case "self": profile.attestation = .selfSigned
    default: attestedSerial = arguments["--serial"] ?? "1"
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

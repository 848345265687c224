// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

/// The configuration of the software device.
struct DeviceOptions {
  let profile: AuthenticatorProfile

  static let options = [
    OptionSpecification(
      name: "--kind", value: .init(name: "KIND", choices: ["security-key", "passkey-provider"]),
      help: "what the device is like: its passkeys stay and count, or move and do not (without it: security-key)"),
    OptionSpecification(
      name: "--algorithm", value: .init(name: "NAME"), isRepeatable: true,
      help: "offer only these algorithms, such as ES256 or EdDSA"),
    OptionSpecification(
      name: "--attestation", value: .init(name: "KIND", choices: ["none", "self", "batch"]),
      help: "what it says of where its keys come from (without it: batch for a security key, none for a provider)"),
    OptionSpecification(
      name: "--serial", value: .init(name: "TEXT"), help: "the device that enterprise attestations name (without it: 1)"
    ),
    OptionSpecification(
      name: "--enterprise-rp-id", value: .init(name: "DOMAIN"), isRepeatable: true,
      help: "a relying party that the maker arranged enterprise attestation with"),
    OptionSpecification(
      name: "--backup", value: .init(name: "STATE", choices: ["bound", "eligible", "backed-up"]),
      help: "whether its passkeys may move and have moved (without it: as the kind has it); those that may do not count"
    ),
    OptionSpecification(name: "--aaguid", value: .init(name: "AAGUID"), help: "the model that it says it is"),
    OptionSpecification(
      name: "--non-discoverable", value: .init(name: "PLACE", choices: ["in-id", "in-vault"]),
      help: "where the key of a non-discoverable credential is kept: sealed in its id, or in the vault (in-id)"),
    OptionSpecification(name: "--no-fingerprint", help: "take its sensor for fingers away"),
  ]

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    var profile = arguments["--kind"] == "passkey-provider" ? AuthenticatorProfile.passkeyProvider : .securityKey
    if arguments.has("--algorithm") { profile.algorithms = try Self.algorithms(arguments.all("--algorithm")) }
    if let text = arguments["--aaguid"] {
      guard let aaguid = AAGUID(uuid: text) else {
        throw .usage(
          "--aaguid cannot be \(text.quotedForTerminal)", hint: "it is written 00112233-4455-6677-8899-aabbccddeeff")
      }
      profile.aaguid = aaguid
    }
    profile.hasFingerprintSensor = !arguments.has("--no-fingerprint")
    profile.sealsNonDiscoverableCredentials = arguments["--non-discoverable"] != "in-vault"
    profile.enterpriseRelyingPartyIDs = try arguments.relyingPartyIDs("--enterprise-rp-id").map(\.text)
    if let backup = arguments["--backup"] {
      profile.backup = backup == "bound" ? .deviceBound : .movable(isBackedUp: backup == "backed-up")
    }
    profile = try Self.attested(profile, arguments)
    if arguments.has("--seed") { profile.signing = .deterministic }
    self.profile = profile
  }

  /// Adds the attestation. Batch attestation uses the public test authority, whose certificate is available to every
  /// tester.
  private static func attested(
    _ profile: AuthenticatorProfile, _ arguments: ParsedArguments
  ) throws(CommandFailure) -> AuthenticatorProfile {
    var profile = profile
    switch arguments["--attestation"] ?? (arguments["--kind"] == "passkey-provider" ? "none" : "batch") {
    case "none": profile.attestation = .none
    case "self": profile.attestation = .selfSigned
    default:
      do throws(CryptoError) {
        let authority = try TestAttestationAuthority()
        profile = profile.vouchedFor(
          by: try authority.batch(of: profile.aaguid),
          enterprise: try authority.enterprise(of: profile.aaguid, device: arguments["--serial"] ?? "1"))
      } catch {
        throw .inputOutput("the attestation's keys cannot be made: \(error)")
      }
    }
    return profile
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

// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// What kind of device a command plugs in.
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
      name: "--attestation", value: .init(name: "KIND", choices: ["none", "self"]),
      help: "what it says of where its keys come from"),
    OptionSpecification(name: "--aaguid", value: .init(name: "AAGUID"), help: "the model that it says it is"),
    OptionSpecification(name: "--fingerprint", help: "give it a sensor for fingers"),
  ]

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    var profile = arguments["--kind"] == "passkey-provider" ? AuthenticatorProfile.passkeyProvider : .securityKey
    if arguments.has("--algorithm") { profile.algorithms = try Self.algorithms(arguments.all("--algorithm")) }
    switch arguments["--attestation"] {
    case "none": profile.attestation = .none
    case "self": profile.attestation = .selfSigned
    default: break
    }
    if let text = arguments["--aaguid"] {
      guard let aaguid = AAGUID(uuid: text) else {
        throw .usage(
          "--aaguid cannot be \(text.quotedForTerminal)", hint: "it is written 00112233-4455-6677-8899-aabbccddeeff")
      }
      profile.aaguid = aaguid
    }
    if arguments.has("--fingerprint") { profile.hasFingerprintSensor = true }
    if arguments.has("--seed") { profile.signing = .deterministic }
    self.profile = profile
  }

  private static func algorithms(_ names: [String]) throws(CommandFailure) -> [COSEAlgorithm] {
    let offered = AuthenticatorProfile.everyAlgorithm.filter { (algorithm) in supportedAlgorithms.contains(algorithm) }
    var algorithms: [COSEAlgorithm] = []
    for name in names {
      guard let algorithm = offered.first(where: { (offered) in offered.description.lowercased() == name.lowercased() })
      else {
        throw .usage(
          "--algorithm cannot be \(name.quotedForTerminal)",
          hint: "it can be \(offered.map(\.description).joined(separator: ", "))")
      }
      algorithms.append(algorithm)
    }
    return algorithms
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnAttestation

/// Prints the description of a key by Android's key store.
enum KeyDescriptionReport {
  /// One line for each property, those of an authorization list indented.
  static func facts(of key: KeyDescription) -> [String] {
    let isProven = key.hardwareAttested != nil
    return [
      "Android attestation: version \(key.attestationVersion), made in \(name(of: key.attestationSecurityLevel))",
      "Android key: KeyMint version \(key.keyMintVersion), kept in \(name(of: key.keyMintSecurityLevel))",
      "enforced by hardware\(isProven ? "" : ", according to software"):",
    ] + facts(of: key.hardwareEnforced) + ["enforced by software:"] + facts(of: key.softwareEnforced)
  }

  private static func facts(of list: KeyDescription.AuthorizationList) -> [String] {
    var lines: [String] = []
    func add(_ label: String, _ text: String?) {
      if let text { lines.append("  \(label): \(text)") }
    }
    add("purposes", list.purposes.isEmpty ? nil : names(of: list.purposes).joined(separator: ", "))
    add("origin", list.origin.map(name))
    add("all applications", list.allApplications ? "yes" : nil)
    add("verified boot", list.rootOfTrust.map { name(of: $0.verifiedBootState) })
    add("bootloader", list.rootOfTrust.map { $0.isDeviceLocked ? "locked" : "unlocked" })
    add("verified boot key", list.rootOfTrust.map { Hex.encode($0.verifiedBootKey) })
    add("verified boot hash", list.rootOfTrust?.verifiedBootHash.map { Hex.encode($0) })
    add("OS version", list.osVersion.map(version))
    add("OS patch level", list.osPatchLevel.map { "\($0)" })
    add("vendor patch level", list.vendorPatchLevel.map { "\($0)" })
    add("boot patch level", list.bootPatchLevel.map { "\($0)" })
    return lines.isEmpty ? ["  no known properties"] : lines
  }

  /// Writes the members of the object `keyDescription`.
  static func write(_ key: KeyDescription, into output: inout JSONObjectWriter) {
    output.write("attestationVersion", .integer(key.attestationVersion))
    output.write("attestationSecurityLevel", .string(name(of: key.attestationSecurityLevel)))
    output.write("keyMintVersion", .integer(key.keyMintVersion))
    output.write("keyMintSecurityLevel", .string(name(of: key.keyMintSecurityLevel)))
    output.writeObject("hardwareEnforced") { write(key.hardwareEnforced, into: &$0) }
    output.writeObject("softwareEnforced") { write(key.softwareEnforced, into: &$0) }
  }

  private static func write(_ list: KeyDescription.AuthorizationList, into output: inout JSONObjectWriter) {
    output.writeArray("purposes") { purposes in
      for name in names(of: list.purposes) { purposes.write(.string(name)) }
    }
    if let origin = list.origin { output.write("origin", .string(name(of: origin))) }
    output.write("allApplications", .bool(list.allApplications))
    if let root = list.rootOfTrust {
      output.writeObject("rootOfTrust") { member in
        member.write("verifiedBootKey", .base64URL(root.verifiedBootKey))
        member.write("deviceLocked", .bool(root.isDeviceLocked))
        member.write("verifiedBootState", .string(name(of: root.verifiedBootState)))
        if let hash = root.verifiedBootHash { member.write("verifiedBootHash", .base64URL(hash)) }
      }
    }
    if let version = list.osVersion { output.write("osVersion", .integer(version)) }
    if let level = list.osPatchLevel { output.write("osPatchLevel", .string("\(level)")) }
    if let level = list.vendorPatchLevel { output.write("vendorPatchLevel", .string("\(level)")) }
    if let level = list.bootPatchLevel { output.write("bootPatchLevel", .string("\(level)")) }
  }
}

// MARK: Names

extension KeyDescriptionReport {
  static func name(of level: KeyDescription.SecurityLevel) -> String {
    switch level {
    case .software: "software"
    case .trustedEnvironment: "trusted environment"
    case .strongBox: "StrongBox"
    default: "level \(level.rawValue)"
    }
  }

  static func name(of origin: KeyDescription.Origin) -> String {
    switch origin {
    case .generated: "generated"
    case .derived: "derived"
    case .imported: "imported"
    case .unknown: "unknown"
    case .securelyImported: "securely imported"
    default: "origin \(origin.rawValue)"
    }
  }

  static func name(of state: KeyDescription.VerifiedBootState) -> String {
    switch state {
    case .verified: "verified"
    case .selfSigned: "self-signed"
    case .unverified: "unverified"
    case .failed: "failed"
    default: "state \(state.rawValue)"
    }
  }

  private static func names(of purposes: Set<KeyDescription.Purpose>) -> [String] {
    purposes.sorted { $0.rawValue < $1.rawValue }.map(name)
  }

  static func name(of purpose: KeyDescription.Purpose) -> String {
    switch purpose {
    case .encrypt: "encrypt"
    case .decrypt: "decrypt"
    case .sign: "sign"
    case .verify: "verify"
    case .wrapKey: "wrap keys"
    case .agreeKey: "agree on keys"
    case .attestKey: "attest keys"
    default: "purpose \(purpose.rawValue)"
    }
  }

  /// The version in the usual form: 140000 is 14.0.0.
  private static func version(_ number: UInt64) -> String {
    "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The names of object identifiers that occur in WebAuthn artifacts.
enum ObjectIdentifierNames {
  static func name(of identifier: DERObjectIdentifier) -> String? {
    names["\(identifier)"]
  }

  /// Returns the identifier in dotted notation, with its name if it has one.
  static func text(_ identifier: DERObjectIdentifier) -> String {
    "\(identifier)" + (name(of: identifier).map { " \($0)" } ?? "")
  }

  private static let names: [String: String] = [
    // Keys and curves (RFC 5480, RFC 8410, RFC 8017, SEC 2)
    "1.2.840.10045.2.1": "id-ecPublicKey",
    "1.2.840.10045.3.1.7": "P-256",
    "1.3.132.0.34": "P-384",
    "1.3.132.0.35": "P-521",
    "1.3.132.0.10": "secp256k1",
    "1.3.101.112": "Ed25519",
    "1.3.101.113": "Ed448",
    "1.2.840.113549.1.1.1": "rsaEncryption",

    // Signature algorithms
    "1.2.840.10045.4.1": "ecdsa-with-SHA1",
    "1.2.840.10045.4.3.2": "ecdsa-with-SHA256",
    "1.2.840.10045.4.3.3": "ecdsa-with-SHA384",
    "1.2.840.10045.4.3.4": "ecdsa-with-SHA512",
    "1.2.840.113549.1.1.5": "sha1WithRSAEncryption",
    "1.2.840.113549.1.1.10": "RSASSA-PSS",
    "1.2.840.113549.1.1.11": "sha256WithRSAEncryption",
    "1.2.840.113549.1.1.12": "sha384WithRSAEncryption",
    "1.2.840.113549.1.1.13": "sha512WithRSAEncryption",
    "2.16.840.1.101.3.4.3.17": "ML-DSA-44",
    "2.16.840.1.101.3.4.3.18": "ML-DSA-65",
    "2.16.840.1.101.3.4.3.19": "ML-DSA-87",

    // Certificate extensions (RFC 5280 §4.2)
    "2.5.29.14": "subjectKeyIdentifier",
    "2.5.29.15": "keyUsage",
    "2.5.29.17": "subjectAltName",
    "2.5.29.19": "basicConstraints",
    "2.5.29.31": "cRLDistributionPoints",
    "2.5.29.32": "certificatePolicies",
    "2.5.29.35": "authorityKeyIdentifier",
    "2.5.29.37": "extKeyUsage",
    "1.3.6.1.5.5.7.1.1": "authorityInfoAccess",

    // Attestation (WebAuthn §8, and the vendors' own)
    "1.3.6.1.4.1.45724.1.1.2": "id-fido-gen-ce-sernum",
    "1.3.6.1.4.1.45724.1.1.4": "id-fido-gen-ce-aaguid",
    "1.3.6.1.4.1.45724.1.1.5": "id-fido-gen-ce-fw-version",
    "1.3.6.1.4.1.45724.2.1.1": "id-fido-u2f-ce-transports",
    "1.3.6.1.4.1.11129.2.1.17": "Android key description",
    "1.2.840.113635.100.8.2": "Apple anonymous attestation",
    "2.23.133.8.3": "tcg-kp-AIKCertificate",
  ]
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Inspector {
  /// An attestation object (WebAuthn §6.5.4).
  func attestationObject(_ bytes: Bytes, named name: String) -> InspectionNode {
    let item = LenientCBORReader.item(bytes)
    return cbor(item, as: .map(Self.attestationObjectFields(of: item)), named: name, in: bytes)
  }

  static func attestationObjectFields(of item: LenientCBOR) -> [CBORField] {
    let format = item.member("fmt").flatMap { format in
      if case .text(let utf8) = format.content { String(decoding: utf8, as: UTF8.self) } else { nil }
    }
    return [
      .required("fmt", "fmt", .text),
      .required("attStmt", "attStmt", statement(of: format)),
      .required("authData", "authData", .authenticatorData),
    ]
  }

  /// Returns the shape of a format's attestation statement (WebAuthn §8).
  static func statement(of format: String?) -> CBORShape {
    let algorithm = CBORField.required("alg", "alg", .algorithm)
    let signature = CBORField.required("sig", "sig", .signature)
    let chain = CBORField.required("x5c", "x5c", .array(of: .certificate))
    switch format {
    case "packed": return .map([algorithm, signature, .optional("x5c", "x5c", .array(of: .certificate))])
    case "tpm":
      return .map([
        .required("ver", "ver", .text), algorithm, chain, signature,
        .required("certInfo", "certInfo", .bytes), .required("pubArea", "pubArea", .bytes),
      ])
    case "android-key": return .map([algorithm, signature, chain])
    case "android-safetynet": return .map([.required("ver", "ver", .text), .required("response", "response", .bytes)])
    case "fido-u2f": return .map([chain, signature])
    case "apple": return .map([chain])
    case "compound":
      return .array(of: .map([.required("fmt", "fmt", .text), .required("attStmt", "attStmt", .any)]))
    default: return .map([])
    }
  }
}

extension LenientCBOR {
  /// Returns the value of `key`; nil where the item is not a map or lacks the key.
  func member(_ key: CBORKey) -> LenientCBOR? {
    guard case .map(let pairs) = content else { return nil }
    return pairs.first { $0.key.matches(key) }?.value
  }
}

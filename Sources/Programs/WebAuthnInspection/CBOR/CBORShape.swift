// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The expected shape of a CBOR item in the structures that WebAuthn and CTAP define.
indirect enum CBORShape: Sendable {
  case any
  case integer
  case bytes
  case text
  case bool
  case array(of: CBORShape)
  case map([CBORField])

  /// A credential ID or user handle.
  case identifier

  // Shapes with a method of their own in `Inspector`.
  case algorithm
  case aaguid
  case signature
  case certificate
  case coseKey
  case authenticatorData
}

/// A member of a CBOR map, with its expected shape.
struct CBORField: Sendable {
  let key: CBORKey
  let name: String
  let shape: CBORShape
  let isRequired: Bool

  static func required(_ key: CBORKey, _ name: String, _ shape: CBORShape) -> Self {
    Self(key: key, name: name, shape: shape, isRequired: true)
  }

  static func optional(_ key: CBORKey, _ name: String, _ shape: CBORShape) -> Self {
    Self(key: key, name: name, shape: shape, isRequired: false)
  }
}

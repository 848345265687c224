// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What an authenticator returns for a new credential (WebAuthn §6.5): authenticator data and a statement about them.
public struct AttestationObject: Sendable {
  /// The bytes as they came.
  public let encoded: Bytes

  /// The form of the statement.
  public let format: AttestationFormat

  /// The statement: an array in the compound format, a map in every other.
  public let statement: CBORValue

  /// What the authenticator says about itself and the credential.
  public let authenticatorData: AuthenticatorData

  /// Reads an attestation object that is all of `bytes`. Real devices misorder the keys, so any order will do; members
  /// besides the three of the standard are passed over.
  public init(parsing bytes: Bytes) throws(FormatError) {
    let map: CBORMap
    do throws(WireError) {
      map = try CBORValue(parsing: bytes, rules: .wellFormed).map
    } catch {
      throw FormatError(.attestationObjectMalformed, error)
    }
    let name = try Self.member("fmt", of: map) { (value) throws(WireError) in try value.text }
    let format = AttestationFormat(rawValue: name)
    let isArray = format == .compound
    let statement = try Self.member("attStmt", of: map) { (value) throws(WireError) in
      if isArray { _ = try value.array } else { _ = try value.map }
      return value
    }
    let data = try Self.member("authData", of: map) { (value) throws(WireError) in try value.bytes }
    authenticatorData = try AuthenticatorData(parsing: data)
    encoded = bytes
    self.format = format
    self.statement = statement
  }

  private static func member<Content>(
    _ name: String, of map: CBORMap, _ content: (CBORValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content {
    guard let value = map[.text(name)] else {
      throw FormatError(.attestationObjectMissingMember, at: map.offset, member: name)
    }
    do throws(WireError) {
      return try content(value)
    } catch {
      throw FormatError(.attestationObjectInvalidMember, error, member: name)
    }
  }
}

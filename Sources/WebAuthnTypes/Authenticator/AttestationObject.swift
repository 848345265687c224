// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The result of a registration on the authenticator (WebAuthn §6.5): authenticator data and an attestation statement.
public struct AttestationObject: ByteParsable, Sendable {
  /// The original bytes.
  public let encoded: Bytes

  /// The format of the statement.
  public let format: AttestationFormat

  /// The statement: an array in the compound format, a map in all others.
  public let statement: CBORValue

  /// The authenticator data.
  public let authenticatorData: AuthenticatorData

  /// Parses an attestation object that is all of `bytes`.
  ///
  /// Accepts any order of keys, because real authenticators misorder them, and ignores unknown members.
  ///
  /// - Throws: `attestation-object.malformed`, `attestation-object.missing-member`,
  ///   `attestation-object.invalid-member`, or a code of the form `authenticator-data.*`.
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

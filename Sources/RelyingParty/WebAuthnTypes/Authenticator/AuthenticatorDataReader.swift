// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reader of the parts of authenticator data, in their order. Its errors name the part.
struct AuthenticatorDataReader {
  private var reader: ByteReader

  init(_ bytes: Bytes) {
    reader = ByteReader(bytes)
  }

  mutating func read(_ count: Int) throws(FormatError) -> Bytes {
    do throws(WireError) {
      return try reader.read(count)
    } catch {
      throw FormatError(.authenticatorDataTruncated, error)
    }
  }

  mutating func readFlags() throws(FormatError) -> AuthenticatorFlags {
    do throws(WireError) {
      return AuthenticatorFlags(rawValue: try reader.readByte())
    } catch {
      throw FormatError(.authenticatorDataTruncated, error)
    }
  }

  mutating func readSignCount() throws(FormatError) -> UInt32 {
    try readNumber(byteCount: 4)
  }

  /// Reads the AAGUID, the length of the credential ID, the ID and the public key (§6.5.1).
  mutating func readAttestedCredentialData() throws(FormatError) -> AttestedCredentialData {
    let aaguid = try read(AAGUID.byteCount)
    let credentialIDLength: UInt16 = try readNumber(byteCount: 2)
    return AttestedCredentialData(
      aaguid: AAGUID(unchecked: [UInt8](aaguid)),
      credentialID: try read(Int(credentialIDLength)),
      credentialPublicKey: try readCBOR(or: .authenticatorDataMalformedKey).encoded)
  }

  mutating func readExtensions() throws(FormatError) -> CBORMap {
    let value = try readCBOR(or: .authenticatorDataMalformedExtensions)
    guard case .map(let map) = value.kind else {
      throw FormatError(.authenticatorDataMalformedExtensions, at: value.offset)
    }
    return map
  }

  func finish() throws(FormatError) {
    guard reader.isAtEnd else { throw FormatError(.authenticatorDataTrailingBytes, at: reader.offset) }
  }

  private mutating func readNumber<Number: FixedWidthInteger>(byteCount: Int) throws(FormatError) -> Number {
    try read(byteCount).reduce(0) { $0 << 8 | Number($1) }
  }

  /// Reads one CBOR item. Its length is known only after parsing it.
  private mutating func readCBOR(or code: FormatError.Code) throws(FormatError) -> CBORValue {
    var cbor = CBORReader(reader.rest, rules: .wellFormed)
    let value: CBORValue
    do throws(WireError) {
      value = try cbor.readValue()
    } catch {
      throw FormatError(code, error)
    }
    _ = try read(value.encoded.count)
    return value
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A source of the members of a JSON object: JSON text or a `Decoder`.
///
/// A message defines once how it is read, so both sources give the same value. A null member counts as absent. Names
/// are literals, so that none is allocated.
protocol MemberReader {
  associatedtype Failure: Error

  /// The encoding of bytes in strings.
  var encoding: ResponseEncoding { get }

  func utf8IfPresent(_ name: String) throws(Failure) -> Bytes?
  func textIfPresent(_ name: String) throws(Failure) -> String?
  func textsIfPresent(_ name: String) throws(Failure) -> [String]?
  func bytesIfPresent(_ name: String) throws(Failure) -> Bytes?
  func integerIfPresent(_ name: String) throws(Failure) -> Int64?
  func boolIfPresent(_ name: String) throws(Failure) -> Bool?
  func objectIfPresent(_ name: String) throws(Failure) -> Self?
  func objectsIfPresent(_ name: String) throws(Failure) -> [Self]?
  func extensionsIfPresent(_ name: String) throws(Failure) -> ClientExtensions?

  /// Returns the error for a required member that is absent.
  func missing(_ name: String) -> Failure

  /// Returns the error for a member with an invalid value.
  func invalid(_ name: String) -> Failure

  /// Returns an error with `code` about a member.
  func fault(_ code: FormatError.Code, in name: String) -> Failure
}

extension MemberReader {
  func text(_ name: String) throws(Failure) -> String {
    guard let text = try textIfPresent(name) else { throw missing(name) }
    return text
  }

  func bytes(_ name: String) throws(Failure) -> Bytes {
    guard let bytes = try bytesIfPresent(name) else { throw missing(name) }
    return bytes
  }

  func object(_ name: String) throws(Failure) -> Self {
    guard let object = try objectIfPresent(name) else { throw missing(name) }
    return object
  }

  func value<Value: OpaqueBytes>(_ name: String, as _: Value.Type = Value.self) throws(Failure) -> Value {
    guard let value = try valueIfPresent(name, as: Value.self) else { throw missing(name) }
    return value
  }

  func valueIfPresent<Value: OpaqueBytes>(
    _ name: String, as _: Value.Type = Value.self
  ) throws(Failure) -> Value? {
    guard let bytes = try bytesIfPresent(name) else { return nil }
    do throws(FormatError) {
      return try Value(bytes)
    } catch {
      throw fault(error.code, in: name)
    }
  }

  func nameIfPresent<Name: OpenString>(_ name: String, as _: Name.Type = Name.self) throws(Failure) -> Name? {
    try textIfPresent(name).map { Name(rawValue: $0) }
  }

  func names<Name: OpenString>(_ name: String, as _: Name.Type = Name.self) throws(Failure) -> [Name] {
    try textsIfPresent(name)?.map { Name(rawValue: $0) } ?? []
  }

  func relyingPartyIDIfPresent(_ name: String) throws(Failure) -> RelyingPartyID? {
    guard let text = try textIfPresent(name) else { return nil }
    do throws(FormatError) {
      return try RelyingPartyID(text)
    } catch {
      throw fault(error.code, in: name)
    }
  }

  /// Reads an `unsigned long` of Web IDL.
  func unsignedLongIfPresent(_ name: String) throws(Failure) -> UInt32? {
    guard let integer = try integerIfPresent(name) else { return nil }
    guard let number = UInt32(exactly: integer) else { throw invalid(name) }
    return number
  }
}

extension MemberReader {
  func relyingPartyID(_ name: String) throws(Failure) -> RelyingPartyID {
    guard let id = try relyingPartyIDIfPresent(name) else { throw missing(name) }
    return id
  }

  /// Reads an array of base64url strings.
  func values<Value: OpaqueBytes>(_ name: String, as _: Value.Type = Value.self) throws(Failure) -> [Value] {
    guard let texts = try textsIfPresent(name) else { throw missing(name) }
    var values: [Value] = []
    for text in texts {
      let bytes: [UInt8]
      do throws(WireError) {
        bytes = try Base64URL.decode(text)
      } catch {
        throw invalid(name)
      }
      do throws(FormatError) {
        values.append(try Value(bytes))
      } catch {
        throw fault(error.code, in: name)
      }
    }
    return values
  }
}

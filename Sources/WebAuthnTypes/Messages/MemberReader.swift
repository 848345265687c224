// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Where the members of a JSON object come from: JSON text, or somebody's `Decoder`.
///
/// A message says once how it is read, and both ways give the same value. A member that is null counts as one that is
/// not there. Names are literals, so that nothing is allocated for them.
protocol MemberReader {
  associatedtype Failure: Error

  /// How bytes in strings are encoded.
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

  /// The error for a member that must be there.
  func missing(_ name: String) -> Failure

  /// The error for a member that cannot be what it is.
  func invalid(_ name: String) -> Failure

  /// An error about what a member says.
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

  /// Web IDL's `unsigned long`.
  func unsignedLongIfPresent(_ name: String) throws(Failure) -> UInt32? {
    guard let integer = try integerIfPresent(name) else { return nil }
    guard let number = UInt32(exactly: integer) else { throw invalid(name) }
    return number
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reader of the members of a message: of JSON text or of a `Decoder`.
///
/// A message defines once how it is read, so both sources give the same value. A null member counts as absent. Names
/// are literals, so that none is allocated.
protocol MessageReader: NestedMemberReader where Key == String {
  /// The encoding of bytes in strings.
  var encoding: ResponseEncoding { get }

  func extensionsIfPresent(_ name: String) throws(Failure) -> ClientExtensions?

  /// Returns the error for a member with an invalid value.
  func invalid(_ name: String) -> Failure

  /// Returns an error with `code` about a member.
  func fault(_ code: FormatError.Code, in name: String) -> Failure
}

extension MessageReader {
  func value<Identifier: OpaqueBytes>(
    _ name: String, as _: Identifier.Type = Identifier.self
  ) throws(Failure) -> Identifier {
    guard let value = try valueIfPresent(name, as: Identifier.self) else { throw missing(name) }
    return value
  }

  func valueIfPresent<Identifier: OpaqueBytes>(
    _ name: String, as _: Identifier.Type = Identifier.self
  ) throws(Failure) -> Identifier? {
    guard let bytes = try bytesIfPresent(name) else { return nil }
    do throws(FormatError) {
      return try Identifier(bytes)
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

  func relyingPartyID(_ name: String) throws(Failure) -> RelyingPartyID {
    guard let id = try relyingPartyIDIfPresent(name) else { throw missing(name) }
    return id
  }

  /// Reads an array of base64url strings.
  func values<Identifier: OpaqueBytes>(
    _ name: String, as _: Identifier.Type = Identifier.self
  ) throws(Failure) -> [Identifier] {
    guard let texts = try textsIfPresent(name) else { throw missing(name) }
    var values: [Identifier] = []
    for text in texts {
      let bytes: [UInt8]
      do throws(WireError) {
        bytes = try Base64URL.decode(text)
      } catch {
        throw invalid(name)
      }
      do throws(FormatError) {
        values.append(try Identifier(bytes))
      } catch {
        throw fault(error.code, in: name)
      }
    }
    return values
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension JSONMemberReader {
  func value<Identifier: OpaqueBytes>(
    _ name: String, as _: Identifier.Type = Identifier.self
  ) throws(FormatError) -> Identifier {
    guard let value = try valueIfPresent(name, as: Identifier.self) else { throw missing(name) }
    return value
  }

  func valueIfPresent<Identifier: OpaqueBytes>(
    _ name: String, as _: Identifier.Type = Identifier.self
  ) throws(FormatError) -> Identifier? {
    guard let bytes = try bytesIfPresent(name) else { return nil }
    do throws(FormatError) {
      return try Identifier(bytes)
    } catch {
      throw fault(error.code, in: name)
    }
  }

  func nameIfPresent<Name: OpenString>(_ name: String, as _: Name.Type = Name.self) throws(FormatError) -> Name? {
    try textIfPresent(name).map { Name(rawValue: $0) }
  }

  func names<Name: OpenString>(_ name: String, as _: Name.Type = Name.self) throws(FormatError) -> [Name] {
    try textsIfPresent(name)?.map { Name(rawValue: $0) } ?? []
  }

  func relyingPartyIDIfPresent(_ name: String) throws(FormatError) -> RelyingPartyID? {
    guard let text = try textIfPresent(name) else { return nil }
    do throws(FormatError) {
      return try RelyingPartyID(text)
    } catch {
      throw fault(error.code, in: name)
    }
  }

  /// Reads an `unsigned long` of Web IDL.
  func unsignedLongIfPresent(_ name: String) throws(FormatError) -> UInt32? {
    guard let integer = try integerIfPresent(name) else { return nil }
    guard let number = UInt32(exactly: integer) else { throw invalid(name) }
    return number
  }

  func relyingPartyID(_ name: String) throws(FormatError) -> RelyingPartyID {
    guard let id = try relyingPartyIDIfPresent(name) else { throw missing(name) }
    return id
  }

  /// Reads an array of base64url strings.
  func values<Identifier: OpaqueBytes>(
    _ name: String, as _: Identifier.Type = Identifier.self
  ) throws(FormatError) -> [Identifier] {
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

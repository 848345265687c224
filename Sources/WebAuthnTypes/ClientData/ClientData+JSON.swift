// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension ClientData {
  /// Reads client data with the JSON parser, in whatever way they are written.
  init(parsingAsJSON bytes: Bytes) throws(FormatError) {
    let object: JSONValue
    do throws(WireError) {
      // §7.1 step 5 and §7.2 step 8 read the bytes with "UTF-8 decode", which takes a byte order mark off.
      object = try JSON.parse(JSON.withoutByteOrderMark(bytes))
      _ = try object.members
    } catch {
      throw FormatError(.clientDataMalformed, error)
    }
    let type = try Self.require("type", of: object) { (value) throws(WireError) in try value.string }
    self.init(
      encoded: bytes,
      type: ClientDataType(rawValue: type),
      challenge: try Self.require("challenge", of: object) { (value) throws(WireError) in try value.base64URL[...] },
      originUTF8: try Self.require("origin", of: object) { (value) throws(WireError) in try value.utf8 },
      // Some clients write null where the standard leaves these two out.
      crossOrigin: try Self.member("crossOrigin", of: object) { (value) throws(WireError) in
        try value.unlessNull?.bool
      } ?? nil,
      topOriginUTF8: try Self.member("topOrigin", of: object) { (value) throws(WireError) in
        try value.unlessNull?.utf8
      } ?? nil)
  }

  private static func require<Content>(
    _ name: String, of object: JSONValue, _ content: (JSONValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content {
    guard let content = try member(name, of: object, content) else {
      throw FormatError(.clientDataMissingMember, at: object.offset, member: name)
    }
    return content
  }

  private static func member<Content>(
    _ name: String, of object: JSONValue, _ content: (JSONValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content? {
    do throws(WireError) {
      guard let value = try object[name] else { return nil }
      return try content(value)
    } catch {
      throw FormatError(.clientDataInvalidMember, error, member: name)
    }
  }
}

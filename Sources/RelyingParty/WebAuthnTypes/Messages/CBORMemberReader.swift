// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A reader of the members of a CBOR map in a message.
package struct CBORMemberReader: NestedMemberReader {
  private let map: CBORMap
  private let kind: MessageKind

  /// Parses bytes that must be one map.
  package init(parsing bytes: Bytes, as kind: MessageKind, rules: CBORRules) throws(FormatError) {
    do throws(WireError) {
      self.init(try CBORValue(parsing: bytes, rules: rules).map, as: kind)
    } catch {
      throw FormatError(kind.malformed, error)
    }
  }

  private init(_ map: CBORMap, as kind: MessageKind) {
    self.map = map
    self.kind = kind
  }

  package func lookUp(_ key: CBORKey) -> CBORValue? { map[key] }

  package func reader(of map: CBORMap, at key: CBORKey) -> Self { Self(map, as: kind) }

  package func missing(_ key: CBORKey) -> FormatError {
    FormatError(kind.missingMember, at: map.offset, member: Self.name(key))
  }

  package func invalid(_ key: CBORKey, _ cause: WireError) -> FormatError {
    FormatError(kind.invalidMember, cause, member: Self.name(key))
  }

  private static func name(_ key: CBORKey) -> String {
    switch key {
    case .unsigned(let number): "\(number)"
    case .text(let text): text
    default: "\(key)"
    }
  }
}

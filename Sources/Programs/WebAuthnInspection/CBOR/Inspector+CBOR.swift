// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Inspector {
  /// Shows a CBOR item of unknown structure.
  func cbor(_ item: LenientCBOR, named name: String) -> InspectionNode {
    var node = InspectionNode(name, Self.value(of: item), span: item.span)
    node.problems = item.problems
    node.remarks = item.remarks
    switch item.content {
    case .array(let items), .chunks(let items):
      node.note = "\(items.count) \(items.count == 1 ? "item" : "items")"
      node.children = items.enumerated().map { cbor($0.element, named: "[\($0.offset)]") }
    case .map(let pairs):
      node.note = "\(pairs.count) \(pairs.count == 1 ? "member" : "members")"
      node.children = pairs.map(member)
    case .tagged(let number, let content):
      node.note = "tag \(number)"
      node.children = [cbor(content, named: "content")]
    case .unsigned, .negative, .bytes, .text, .simple, .float, .unreadable: break
    }
    return node
  }

  private func member(_ pair: LenientCBOR.Pair) -> InspectionNode {
    let name = Self.name(of: pair.key)
    var node = pair.value.map { cbor($0, named: name) } ?? InspectionNode(name, span: pair.key.span)
    node.adopt(pair.key)
    return node
  }

  /// Returns the name of a map's key in the tree.
  static func name(of key: LenientCBOR) -> String {
    if case .text(let utf8) = key.content { return String(decoding: utf8, as: UTF8.self).escapedForTerminal }
    switch value(of: key) {
    case .text(let text): return text
    case .bytes(let bytes), .identifier(let bytes): return "h'\(Hex.encode(bytes))'"
    case nil: return "?"
    }
  }

  /// Returns the value of an item that contains no others; nil for every other item.
  static func value(of item: LenientCBOR) -> InspectionNode.Value? {
    switch item.content {
    case .unsigned(let number): .text("\(number)")
    case .negative(let number): .text(CBORDiagnostic.decimal(negative: number))
    case .bytes(let bytes): .bytes(bytes)
    case .text(let utf8): .text(String(decoding: utf8, as: UTF8.self).quotedForTerminal)
    case .simple(let number): .text(name(ofSimple: number))
    case .float(let number): .text("\(number.value)")
    case .chunks, .array, .map, .tagged, .unreadable: nil
    }
  }

  private static func name(ofSimple number: UInt64) -> String {
    switch number {
    case 20: "false"
    case 21: "true"
    case 22: "null"
    case 23: "undefined"
    default: "simple(\(number))"
    }
  }
}

extension InspectionNode {
  /// Adds the problems of the map key that has this value and of the items inside the key, and the key's remarks.
  mutating func adopt(_ key: LenientCBOR) {
    problems = key.allProblems + problems
    remarks = key.remarks + remarks
  }
}

// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
  /// Reads a string value.
  mutating func readString(in text: Span<UInt8>, at start: Int) throws(WireError) -> Int {
    let (end, hasEscapes) = try scanString(in: text, at: start)
    nodes.append(JSONNode(stringFrom: start, to: end, hasEscapes: hasEscapes))
    return end
  }

  /// Reads a member name.
  mutating func readName(in text: Span<UInt8>, at start: Int) throws(WireError) -> Int {
    guard try character(in: text, at: start) == UInt8(ascii: "\"") else {
      throw WireError(.jsonUnexpectedCharacter, at: start)
    }
    let (end, hasEscapes) = try scanString(in: text, at: start)
    let inside = text.extracting(start + 1..<end - 1)
    let hash = hasEscapes ? JSONString.hash(JSONString.withoutEscapes(inside).span) : JSONString.hash(inside)
    nodes.append(JSONNode(stringFrom: start, to: end, hasEscapes: hasEscapes, hash: hash))
    return end
  }

  private func scanString(
    in text: Span<UInt8>, at start: Int
  ) throws(WireError) -> (end: Int, hasEscapes: Bool) {
    var hasEscapes = false
    var position = start + 1
    while true {
      position = JSONString.firstSpecial(in: text, from: position)
      switch try character(in: text, at: position) {
      case UInt8(ascii: "\""):
        return (position + 1, hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position = try JSONEscape.read(in: text, at: position).end
      case 0x80...:
        // Characters that need a check usually come in runs.
        repeat {
          let length = lengthOfUTF8Sequence(in: text, at: position)
          guard length > 0 else { throw WireError(.jsonInvalidUTF8, at: position) }
          position += length
        } while position < text.count && text[position] >= 0x80
      default:
        throw WireError(.jsonControlCharacter, at: position)
      }
    }
  }
}

extension JSONParser {
  /// Objects with up to this many members compare each name with all others, which needs no memory.
  private static let fewMembers = 16

  /// Throws at the first duplicate name of an object. Names compare with their escapes resolved.
  func refuseDuplicates(amongMembersOf object: Int, count: Int, in text: Span<UInt8>) throws(WireError) {
    let duplicate =
      count <= Self.fewMembers
      ? duplicateByComparison(membersOf: object, in: text)
      : duplicateByHash(membersOf: object, count: count, in: text)
    guard let duplicate else { return }
    throw WireError(.jsonDuplicateName, at: nodes[duplicate].range.lowerBound)
  }

  private func duplicateByComparison(membersOf object: Int, in text: Span<UInt8>) -> Int? {
    let end = nodes[object].next(after: object)
    var later = object + 1
    while later < end {
      var earlier = object + 1
      while earlier < later {
        if nodes[earlier].hash == nodes[later].hash, order(of: earlier, and: later, in: text) == 0 { return later }
        earlier = nodes[earlier + 1].next(after: earlier + 1)
      }
      later = nodes[later + 1].next(after: later + 1)
    }
    return nil
  }

  /// Sorts the names, so that an attacker cannot cause quadratic time. Compares characters only if hashes are equal.
  private func duplicateByHash(membersOf object: Int, count: Int, in text: Span<UInt8>) -> Int? {
    // The hash is above the index, so that equal names stay in text order.
    var keys: [UInt64] = []
    keys.reserveCapacity(count)
    let end = nodes[object].next(after: object)
    var name = object + 1
    while name < end {
      keys.append(UInt64(nodes[name].hash) << 32 | UInt64(name))
      name = nodes[name + 1].next(after: name + 1)
    }
    keys.sort { one, other in
      let order = orderWithinHash(one, other, in: text) ?? 0
      return order == 0 ? one < other : order < 0
    }

    var first: Int?
    for (one, other) in zip(keys, keys.dropFirst()) where orderWithinHash(one, other, in: text) == 0 {
      let later = index(in: other)
      first = min(first ?? later, later)
    }
    return first
  }

  /// Compares the characters of two names that have the same hash; `nil` if their hashes differ.
  private func orderWithinHash(_ one: UInt64, _ other: UInt64, in text: Span<UInt8>) -> Int? {
    guard one >> 32 == other >> 32 else { return nil }
    return order(of: index(in: one), and: index(in: other), in: text)
  }

  private func index(in key: UInt64) -> Int {
    Int(UInt32(truncatingIfNeeded: key))
  }

  /// Compares the characters of two names: negative, 0 or positive.
  private func order(of one: Int, and other: Int, in text: Span<UInt8>) -> Int {
    let oneInside = text.extracting(nodes[one].rangeInside)
    let otherInside = text.extracting(nodes[other].rangeInside)
    guard nodes[one].hasEscapes || nodes[other].hasEscapes else { return order(of: oneInside, and: otherInside) }
    let oneCharacters = JSONString.withoutEscapes(oneInside)
    let otherCharacters = JSONString.withoutEscapes(otherInside)
    return order(of: oneCharacters.span, and: otherCharacters.span)
  }

  private func order(of one: Span<UInt8>, and other: Span<UInt8>) -> Int {
    for position in 0..<min(one.count, other.count) where one[position] != other[position] {
      return Int(one[position]) - Int(other[position])
    }
    return one.count - other.count
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A CBOR item that may be malformed, with the problems of each part.
///
/// The strict parser refuses a malformed item as a whole. Inspection also shows the parts that are well formed.
struct LenientCBOR {
  let offset: Int
  fileprivate(set) var end: Int
  fileprivate(set) var content: Content
  fileprivate(set) var problems: [InspectionProblem] = []
  fileprivate(set) var remarks: [String] = []

  /// Whether the item is incomplete, because the input ended or became unreadable. Then missing members are not reported.
  fileprivate(set) var isCut = false

  indirect enum Content {
    case unsigned(UInt64)
    case negative(UInt64)
    case bytes(Bytes)
    case text(Bytes)
    case chunks([LenientCBOR])
    case array([LenientCBOR])
    case map([Pair])
    case tagged(UInt64, LenientCBOR)
    case simple(UInt64)
    case float(CBORFloat)
    /// The item has no readable head.
    case unreadable
  }

  struct Pair {
    let key: LenientCBOR
    let value: LenientCBOR?
  }

  var span: Range<Int> { offset..<end }

  /// Removes the problems and remarks of the item itself.
  mutating func forgetFaults() {
    problems = []
    remarks = []
  }

  /// Returns the item's encoding, given the bytes from which the item was read.
  func encoded(in bytes: Bytes) -> Bytes { bytes[offset..<end] }
}

/// A CBOR reader that continues after an error where it can.
struct LenientCBORReader {
  private let bytes: Bytes
  private let rules: CBORRules
  private(set) var position: Int

  /// Whether an error made the rest of the input unreadable.
  private(set) var isLost = false

  init(_ bytes: Bytes, rules: CBORRules = .wellFormed) {
    self.bytes = bytes
    self.rules = rules
    position = bytes.startIndex
  }

  /// Reads one item. Bytes after it are a problem.
  static func item(_ bytes: Bytes, rules: CBORRules = .wellFormed) -> LenientCBOR {
    var reader = LenientCBORReader(bytes, rules: rules)
    var item = reader.readItem()
    if !reader.isLost, reader.position < bytes.endIndex {
      let count = bytes.endIndex - reader.position
      item.problems.append(
        InspectionProblem(WireError(.cborTrailingBytes, at: reader.position), "\(byteCount(count)) after the item"))
    }
    return item
  }

  mutating func readItem(depth: Int = 1) -> LenientCBOR {
    let start = position
    let head: CBORHead
    do throws(WireError) {
      head = try CBORHead(in: bytes, at: &position)
    } catch {
      return lost(from: start, error)
    }
    var item = LenientCBOR(offset: start, end: position, content: .unreadable)
    if depth > maximumCBORDepth, head.majorType.isContainer {
      return lost(from: start, WireError(.cborDepthExceeded, at: start))
    }
    if head.majorType != .simple, !head.isShortest {
      item.remarks.append("not canonical: the head is longer than necessary")
    }
    if head.isIndefinite, head.majorType != .simple { judgeIndefiniteLength(of: &item) }
    readContent(of: &item, head, depth: depth)
    item.end = position
    item.isCut = isLost
    return item
  }

  private func judgeIndefiniteLength(of item: inout LenientCBOR) {
    if rules.allowsIndefiniteLength {
      item.remarks.append("not canonical: indefinite length")
    } else {
      item.problems.append(InspectionProblem(WireError(.cborIndefiniteLength, at: item.offset)))
    }
  }

  private mutating func readContent(of item: inout LenientCBOR, _ head: CBORHead, depth: Int) {
    switch head.majorType {
    case .unsigned: item.content = .unsigned(head.argument)
    case .negative: item.content = .negative(head.argument)
    case .bytes, .text: readString(of: &item, head, depth: depth)
    case .array: item.content = .array(readItems(of: &item, head, depth: depth))
    case .map: readMap(of: &item, head, depth: depth)
    case .tag:
      item.remarks.append("not canonical: CTAP2 forbids tags")
      item.content = .tagged(head.argument, readItem(depth: depth + 1))
    case .simple: readSimple(of: &item, head)
    }
  }

  private mutating func lost(from start: Int, _ error: WireError, _ message: String? = nil) -> LenientCBOR {
    isLost = true
    position = bytes.endIndex
    var item = LenientCBOR(offset: start, end: bytes.endIndex, content: .unreadable)
    item.problems.append(InspectionProblem(error, message))
    item.isCut = true
    return item
  }
}

// MARK: Reading the content of an item

extension LenientCBORReader {
  private mutating func readString(of item: inout LenientCBOR, _ head: CBORHead, depth: Int) {
    if head.isIndefinite {
      item.content = .chunks(readChunks(of: &item, head, depth: depth))
      return
    }
    let left = bytes.endIndex - position
    let count = Int(clamping: min(head.argument, UInt64(left)))
    let content = bytes[position..<(position + count)]
    position += count
    item.content = head.majorType == .text ? .text(content) : .bytes(content)
    if head.argument > UInt64(left) {
      isLost = true
      item.problems.append(
        InspectionProblem(
          WireError(.cborLengthExceedsInput, at: item.offset),
          "the head announces \(byteCount(head.argument)), \(left) remain"))
    } else if head.majorType == .text, let invalid = firstInvalidUTF8(in: content) {
      item.problems.append(InspectionProblem(WireError(.cborInvalidUTF8, at: invalid)))
    }
  }

  /// Reads the chunks of a string: definite strings of its type (RFC 8949 §3.2.3). The rest of the input is lost after an
  /// indefinite one, because each could contain another.
  private mutating func readChunks(of item: inout LenientCBOR, _ head: CBORHead, depth: Int) -> [LenientCBOR] {
    var chunks: [LenientCBOR] = []
    while !isLost, !isAtEnd(of: head, count: chunks.count, &item) {
      let error = WireError(.cborInvalidChunk, at: position)
      guard !CBORHead.indefiniteStrings.contains(bytes[position]) else {
        chunks.append(lost(from: position, error))
        break
      }
      var chunk = readItem(depth: depth + 1)
      if chunk.isReadable, !chunk.isChunk(of: head.majorType) { chunk.problems.append(InspectionProblem(error)) }
      chunks.append(chunk)
    }
    return chunks
  }

  private mutating func readItems(of item: inout LenientCBOR, _ head: CBORHead, depth: Int) -> [LenientCBOR] {
    var items: [LenientCBOR] = []
    while !isLost, !isAtEnd(of: head, count: items.count, &item) { items.append(readItem(depth: depth + 1)) }
    return items
  }

  private mutating func readMap(of item: inout LenientCBOR, _ head: CBORHead, depth: Int) {
    var pairs: [LenientCBOR.Pair] = []
    var keys = LenientCBORKeys()
    while !isLost, !isAtEnd(of: head, count: pairs.count, &item) {
      var key = readItem(depth: depth + 1)
      if !isLost { keys.judge(&key, in: bytes) }
      pairs.append(LenientCBOR.Pair(key: key, value: isLost ? nil : readItem(depth: depth + 1)))
    }
    if !keys.areAscending { item.remarks.append("not canonical: the keys are out of order") }
    item.content = .map(pairs)
  }

  /// Whether a container ends here: by its count, by a break, or at the end of the input.
  private mutating func isAtEnd(of head: CBORHead, count: Int, _ item: inout LenientCBOR) -> Bool {
    if !head.isIndefinite, UInt64(count) == head.argument { return true }
    guard position < bytes.endIndex else {
      isLost = true
      let missing =
        head.isIndefinite ? "the break is missing" : "the head announces \(head.argument), the input has \(count)"
      item.problems.append(InspectionProblem(WireError(.cborTruncated, at: position), missing))
      return true
    }
    guard head.isIndefinite, bytes[position] == CBORHead.breakByte else { return false }
    position += 1
    return true
  }

  private mutating func readSimple(of item: inout LenientCBOR, _ head: CBORHead) {
    if head.isIndefinite {
      isLost = true
      item.problems.append(InspectionProblem(WireError(.cborUnexpectedBreak, at: item.offset)))
    } else if let number = CBORFloat(head) {
      item.content = .float(number)
    } else {
      item.content = .simple(head.argument)
      if head.argument < 32, position - item.offset > 1 {
        item.problems.append(InspectionProblem(WireError(.cborInvalidSimpleValue, at: item.offset)))
      }
    }
  }
}

extension LenientCBOR {
  /// Whether the item is a definite string of this type.
  fileprivate func isChunk(of type: CBORHead.MajorType) -> Bool {
    switch (type, content) {
    case (.bytes, .bytes), (.text, .text): true
    default: false
    }
  }

  /// The problems of the item and of every item inside it.
  var allProblems: [InspectionProblem] {
    switch content {
    case .array(let items), .chunks(let items): problems + items.flatMap(\.allProblems)
    case .map(let pairs):
      problems + pairs.flatMap { (pair) in pair.key.allProblems + (pair.value?.allProblems ?? []) }
    case .tagged(_, let content): problems + content.allProblems
    case .unsigned, .negative, .bytes, .text, .simple, .float, .unreadable: problems
    }
  }
}

/// Checks the keys of a map for duplicates and for canonical order.
private struct LenientCBORKeys {
  private(set) var areAscending = true
  private var seen: Set<CBORKey> = []
  private var last: [UInt8] = []

  mutating func judge(_ key: inout LenientCBOR, in bytes: Bytes) {
    guard let value = try? CBORValue(parsing: key.encoded(in: bytes), rules: .general), let known = CBORKey(value)
    else {
      key.problems.append(InspectionProblem(WireError(.cborUnsupportedKey, at: key.offset)))
      return
    }
    if !seen.insert(known).inserted {
      key.problems.append(InspectionProblem(WireError(.cborDuplicateKey, at: key.offset)))
    }
    // Keys are in canonical order if their shortest encodings are in bytewise order.
    let canonical = CBORWriter.bytes(of: CBORTree(value))
    if canonical.lexicographicallyPrecedes(last) { areAscending = false }
    last = canonical
  }
}

extension CBORHead {
  /// The first bytes of a byte string and a text string of indefinite length.
  fileprivate static let indefiniteStrings: [UInt8] = [0x5f, 0x7f]
}

extension CBORHead.MajorType {
  fileprivate var isContainer: Bool { self == .array || self == .map || self == .tag }
}

/// "1 byte", "2 bytes"
func byteCount(_ count: some BinaryInteger) -> String {
  count == 1 ? "1 byte" : "\(count) bytes"
}

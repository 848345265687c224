// SPDX-License-Identifier: Apache-2.0

/// An editing key.
package enum Key: Equatable, Sendable {
  case text(Character)
  case enter, tab, backspace, delete
  case left, right, wordLeft, wordRight, start, end
  case up, down
  case eraseToStart, eraseToEnd, eraseWord
  case clearScreen
  /// Ctrl-C.
  case interrupt
  /// Ctrl-D.
  case endOfInput
}

/// Decodes the bytes that a terminal sends into keys, one byte at a time.
///
/// Special keys arrive as ESC [ and ESC O sequences (ECMA-48 §5.4). Unknown sequences are consumed completely, so that
/// no part of them becomes text.
package struct KeyDecoder: Sendable {
  private enum State: Equatable {
    case ground, escape, singleShift
    case sequence([UInt8])
    case text(bytes: [UInt8], missing: Int)
  }

  private var state = State.ground

  // 16 bytes [the longest sequence of a key has eight]
  private static let maximumSequenceLength = 16

  package init() {}

  /// Returns the key that `byte` completes, or `nil`.
  package mutating func take(_ byte: UInt8) -> Key? {
    switch state {
    case .ground: return begin(byte)
    case .escape: return afterEscape(byte)
    case .singleShift:
      state = .ground
      return Self.cursorKey(byte)
    case .sequence(let parameters): return continueSequence(parameters, byte)
    case .text(let bytes, let missing): return continueText(bytes, missing, byte)
    }
  }

  private mutating func begin(_ byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case 0x1b:
      state = .escape
      return nil
    case 0x20..<0x7f: return .text(Character(Unicode.Scalar(byte)))
    case 0xc2..<0xe0: state = .text(bytes: [byte], missing: 1)
    case 0xe0..<0xf0: state = .text(bytes: [byte], missing: 2)
    case 0xf0..<0xf5: state = .text(bytes: [byte], missing: 3)
    default: return Self.control(byte)
    }
    return nil
  }

  private mutating func afterEscape(_ byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case UInt8(ascii: "["): state = .sequence([])
    case UInt8(ascii: "O"): state = .singleShift
    case UInt8(ascii: "b"): return .wordLeft
    case UInt8(ascii: "f"): return .wordRight
    case 0x7f, 0x08: return .eraseWord
    case 0x1b: state = .escape
    default: return nil
    }
    return nil
  }

  private mutating func continueSequence(_ parameters: [UInt8], _ byte: UInt8) -> Key? {
    // Parameter and intermediate bytes precede the final byte.
    guard (0x40..<0x7f).contains(byte) else {
      state =
        (0x20..<0x40).contains(byte) && parameters.count < Self.maximumSequenceLength
        ? .sequence(parameters + [byte]) : .ground
      return nil
    }
    state = .ground
    let text = String(decoding: parameters, as: UTF8.self)
    if byte == UInt8(ascii: "~") { return Self.editingKey(text) }
    // The number after the semicolon encodes Shift, Alt and Ctrl: 3, 5 and 7 include Alt or Ctrl.
    let isByWord = ["1;3", "1;5", "1;7"].contains(text)
    switch Self.cursorKey(byte) {
    case .left? where isByWord: return .wordLeft
    case .right? where isByWord: return .wordRight
    case let key: return key
    }
  }

  private mutating func continueText(_ bytes: [UInt8], _ missing: Int, _ byte: UInt8) -> Key? {
    guard (0x80..<0xc0).contains(byte) else { return begin(byte) }
    let bytes = bytes + [byte]
    guard missing == 1 else {
      state = .text(bytes: bytes, missing: missing - 1)
      return nil
    }
    state = .ground
    guard let text = String(validating: bytes, as: UTF8.self), text.count == 1, let character = text.first,
      character.unicodeScalars.allSatisfy(\.mayBeTyped)
    else { return nil }
    return .text(character)
  }

  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: .start
    case 0x02: .left
    case 0x03: .interrupt
    case 0x04: .endOfInput
    case 0x05: .end
    case 0x06: .right
    case 0x08, 0x7f: .backspace
    case 0x09: .tab
    case 0x0a, 0x0d: .enter
    case 0x0b: .eraseToEnd
    case 0x0c: .clearScreen
    case 0x0e: .down
    case 0x10: .up
    case 0x15: .eraseToStart
    case 0x17: .eraseWord
    default: nil
    }
  }

  private static func cursorKey(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .start
    case UInt8(ascii: "F"): .end
    default: nil
    }
  }

  private static func editingKey(_ number: String) -> Key? {
    switch number {
    case "1", "7": .start
    case "3": .delete
    case "4", "8": .end
    default: nil
    }
  }
}

extension Unicode.Scalar {
  /// Control and bidirectional characters would display another line than the one that runs.
  fileprivate var mayBeTyped: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: self == "\u{200d}"
    default: true
    }
  }
}

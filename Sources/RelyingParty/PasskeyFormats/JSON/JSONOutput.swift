// SPDX-License-Identifier: Apache-2.0

/// The text written so far and the current nesting depth.
struct JSONOutput: ~Copyable {
  private(set) var bytes: [UInt8] = []
  private let style: JSON.Style
  private var depth = 0

  init(style: JSON.Style, capacity: Int = 0) {
    self.style = style
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// Writes the comma, line break and name before a member or element. Returns the length of the text before it.
  mutating func beginItem(named name: String? = nil) -> Int {
    let length = bytes.count
    if !isAfterOpeningBracket { bytes.append(UInt8(ascii: ",")) }
    beginLine()
    if let name {
      writeString(name.utf8)
      bytes.append(UInt8(ascii: ":"))
      if style == .pretty { bytes.append(UInt8(ascii: " ")) }
    }
    return length
  }

  /// Writes the members of an object that has been written already, in its style.
  mutating func writeMembers(ofWritten object: [UInt8]) {
    let members = object.dropFirst().dropLast()
    guard object.first == UInt8(ascii: "{"), object.last == UInt8(ascii: "}"), !members.isEmpty else { return }
    _ = beginItem()
    bytes.append(contentsOf: members)
  }

  /// Writes an object. If `body` throws, the text is truncated to `length`.
  mutating func writeObject<Failure: Error>(
    restoring length: Int = 0, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "{"))
    // The writer owns the text while `body` runs.
    var writer = JSONObjectWriter(output: JSONOutput(style: style))
    swap(&self, &writer.output)
    do {
      try body(&writer)
    } catch {
      swap(&self, &writer.output)
      truncate(to: length)
      throw error
    }
    swap(&self, &writer.output)
    close(UInt8(ascii: "}"))
  }

  /// Writes an array. If `body` throws, the text is truncated to `length`.
  mutating func writeArray<Failure: Error>(
    restoring length: Int = 0, _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "["))
    var writer = JSONArrayWriter(output: JSONOutput(style: style))
    swap(&self, &writer.output)
    do {
      try body(&writer)
    } catch {
      swap(&self, &writer.output)
      truncate(to: length)
      throw error
    }
    swap(&self, &writer.output)
    close(UInt8(ascii: "]"))
  }

  /// Writes a value.
  mutating func write(_ fragment: JSONFragment) {
    switch fragment.content {
    case .text(let text): bytes.append(contentsOf: text.utf8)
    case .string(let string): writeString(string.utf8)
    case .verbatim(let value): bytes.append(contentsOf: value.encoded)
    case .value(let value): write(value)
    case .written(let text): bytes.append(contentsOf: text)
    case .bytes(let run, let form):
      bytes.append(UInt8(ascii: "\""))
      form.encode(run, onto: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Writes a parsed value. Its depth is within the reader's limit.
  private mutating func write(_ value: JSONValue) {
    if let members = try? value.members {
      writeObject { object in
        for member in members { object.write(member.name, .value(member.value)) }
      }
    } else if let elements = try? value.array {
      writeArray { array in
        for element in elements { array.write(.value(element)) }
      }
    } else if let characters = try? value.utf8 {
      writeString(characters)
    } else {
      bytes.append(contentsOf: value.encoded)
    }
  }

  /// Writes a string. Escapes only what RFC 8259 §7 requires and characters that a terminal or log viewer would
  /// interpret.
  private mutating func writeString(_ characters: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    // Few strings need escapes. Copying first and then scanning the copy is faster than scanning a text.
    bytes.append(contentsOf: characters)
    if bytes[start...].contains(where: JSONEscape.mayBeNeeded) {
      bytes.removeLast(bytes.count - start)
      for scalar in String(decoding: characters, as: UTF8.self).unicodeScalars {
        JSONEscape.write(scalar, onto: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether the last character opens an array or object. No complete value ends with an opening bracket.
  private var isAfterOpeningBracket: Bool {
    bytes.last == UInt8(ascii: "{") || bytes.last == UInt8(ascii: "[")
  }

  private mutating func open(_ bracket: UInt8) {
    bytes.append(bracket)
    depth += 1
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if !isAfterOpeningBracket { beginLine() }
    bytes.append(bracket)
  }

  private mutating func truncate(to length: Int) {
    bytes.removeLast(bytes.count - length)
    depth -= 1
  }

  private mutating func beginLine() {
    guard style == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The values of a shape's variables, to write or as read from a message.
package struct ShapeValues: Sendable {
  // A list, because a message has a few variables, and comparing them is faster than hashing.
  private var entries: [(variable: ShapeVariable, value: ShapeValue)] = []

  /// The values that the client keeps.
  package var kept: KeptValues = [:]

  /// Creates an empty set of values.
  package init() {}

  /// The value of a variable.
  package subscript(variable: ShapeVariable) -> ShapeValue? {
    get { entries.first { $0.variable == variable }?.value }
    set {
      guard let index = entries.firstIndex(where: { $0.variable == variable }) else {
        if let newValue { entries.append((variable, newValue)) }
        return
      }
      if let newValue { entries[index].value = newValue } else { entries.remove(at: index) }
    }
  }

  /// Adds the value of a variable. The variable must not have a value yet.
  mutating func add(_ variable: ShapeVariable, _ value: ShapeValue) {
    entries.append((variable, value))
  }
}

/// The value of a variable.
package enum ShapeValue: Sendable {
  /// A string.
  case text(String)
  /// Bytes, written in base64url.
  case bytes(Bytes)
  /// An integer.
  case integer(Int64)
  /// A Boolean.
  case boolean(Bool)
  /// A time.
  case time(UnixTime)
  /// An array of strings.
  case texts([String])
  /// A Boolean for each name.
  case flags([String: Bool])
  /// A parsed object.
  case object(JSONValue)
  /// The JSON text of an object.
  case encoded([UInt8])
  /// The values of each element of a list.
  case list([ShapeValues])
}

extension ShapeValues {
  /// Sets a string; nil removes it.
  package mutating func set(_ variable: ShapeVariable, _ text: String?) { self[variable] = text.map { .text($0) } }

  /// Sets a time; nil removes it.
  package mutating func set(_ variable: ShapeVariable, _ time: UnixTime?) { self[variable] = time.map { .time($0) } }

  /// Sets bytes; nil removes them.
  package mutating func set(_ variable: ShapeVariable, _ bytes: Bytes?) { self[variable] = bytes.map { .bytes($0) } }

  /// Sets bytes.
  package mutating func set(_ variable: ShapeVariable, _ bytes: some Collection<UInt8>) {
    self[variable] = .bytes(Bytes(bytes))
  }

  /// Sets a Boolean; nil removes it.
  package mutating func set(_ variable: ShapeVariable, _ boolean: Bool?) {
    self[variable] = boolean.map { .boolean($0) }
  }

  /// The string of a variable; nil if it has none.
  package func text(_ variable: ShapeVariable) -> String? {
    if case .text(let text)? = self[variable] { text } else { nil }
  }

  /// The bytes of a variable; nil if it has none.
  package func bytes(_ variable: ShapeVariable) -> Bytes? {
    if case .bytes(let bytes)? = self[variable] { bytes } else { nil }
  }

  /// The integer of a variable; nil if it has none.
  package func integer(_ variable: ShapeVariable) -> Int64? {
    if case .integer(let integer)? = self[variable] { integer } else { nil }
  }

  /// The Boolean of a variable; nil if it has none.
  package func boolean(_ variable: ShapeVariable) -> Bool? {
    if case .boolean(let boolean)? = self[variable] { boolean } else { nil }
  }

  /// The time of a variable; nil if it has none.
  package func time(_ variable: ShapeVariable) -> UnixTime? {
    if case .time(let time)? = self[variable] { time } else { nil }
  }

  /// The strings of a variable; nil if it has none.
  package func texts(_ variable: ShapeVariable) -> [String]? {
    if case .texts(let texts)? = self[variable] { texts } else { nil }
  }

  /// The named Booleans of a variable; nil if it has none.
  package func flags(_ variable: ShapeVariable) -> [String: Bool]? {
    if case .flags(let flags)? = self[variable] { flags } else { nil }
  }

  /// The parsed object of a variable; nil if the variable has no object.
  package func object(_ variable: ShapeVariable) -> JSONValue? {
    if case .object(let object)? = self[variable] { object } else { nil }
  }

  /// The elements of a list; nil if the variable has none.
  package func list(_ variable: ShapeVariable) -> [ShapeValues]? {
    if case .list(let list)? = self[variable] { list } else { nil }
  }
}

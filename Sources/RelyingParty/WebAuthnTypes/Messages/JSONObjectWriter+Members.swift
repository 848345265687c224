// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension JSONObjectWriter {
  mutating func write(_ name: String, texts: [String]) {
    writeArray(name) { array in
      for text in texts { array.write(text) }
    }
  }

  mutating func write(_ name: String, names: [some OpenString]) {
    write(name, texts: names.map(\.rawValue))
  }

  mutating func writeUnlessEmpty(_ name: String, names: [some OpenString]) {
    if !names.isEmpty { write(name, names: names) }
  }

  mutating func write(_ name: String, extensions: ClientExtensions) {
    writeObject(name) { object in extensions.write(into: &object) }
  }

  mutating func writeUnlessEmpty(_ name: String, extensions: ClientExtensions) {
    if !extensions.isEmpty { write(name, extensions: extensions) }
  }

  mutating func writeIfPresent(_ name: String, text: String?) {
    if let text { write(name, text) }
  }

  mutating func writeIfPresent(_ name: String, bytes: (some ByteSource)?) {
    if let bytes { write(name, .base64URL(bytes)) }
  }

  mutating func writeIfPresent(_ name: String, integer: Int64?) {
    if let integer { write(name, .integer(integer)) }
  }

  /// Writes an array of as many objects as `values`.
  mutating func writeObjects<Value>(
    _ name: String, _ values: [Value], _ body: (Value, inout JSONObjectWriter) -> Void
  ) {
    writeArray(name) { array in
      for value in values { array.writeObject { object in body(value, &object) } }
    }
  }
}

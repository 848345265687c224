// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A destination of the members of a JSON object: JSON text or an `Encoder`.
protocol MemberWriter: ~Copyable {
  associatedtype Failure: Error

  mutating func write(_ name: String, text: String) throws(Failure)
  mutating func write(_ name: String, texts: [String]) throws(Failure)
  mutating func write(_ name: String, bytes: some Collection<UInt8>) throws(Failure)
  mutating func write(_ name: String, integer: Int64) throws(Failure)
  mutating func write(_ name: String, bool: Bool) throws(Failure)
  mutating func write(_ name: String, extensions: ClientExtensions) throws(Failure)
  mutating func writeObject(_ name: String, _ body: (inout Self) throws(Failure) -> Void) throws(Failure)
  mutating func writeObjects(
    _ name: String, count: Int, _ body: (Int, inout Self) throws(Failure) -> Void
  ) throws(Failure)
}

extension MemberWriter where Self: ~Copyable {
  mutating func write(_ name: String, names: [some OpenString]) throws(Failure) {
    try write(name, texts: names.map(\.rawValue))
  }

  mutating func writeUnlessEmpty(_ name: String, names: [some OpenString]) throws(Failure) {
    if !names.isEmpty { try write(name, names: names) }
  }

  mutating func writeUnlessEmpty(_ name: String, extensions: ClientExtensions) throws(Failure) {
    if !extensions.isEmpty { try write(name, extensions: extensions) }
  }

  mutating func writeIfPresent(_ name: String, text: String?) throws(Failure) {
    if let text { try write(name, text: text) }
  }

  mutating func writeIfPresent(_ name: String, bytes: (some Collection<UInt8>)?) throws(Failure) {
    if let bytes { try write(name, bytes: bytes) }
  }

  mutating func writeIfPresent(_ name: String, integer: Int64?) throws(Failure) {
    if let integer { try write(name, integer: integer) }
  }
}

extension JSONObjectWriter: MemberWriter {
  typealias Failure = Never

  mutating func write(_ name: String, text: String) {
    write(name, .string(text))
  }

  mutating func write(_ name: String, texts: [String]) {
    writeArray(name) { array in
      for text in texts { array.write(.string(text)) }
    }
  }

  mutating func write(_ name: String, bytes: some Collection<UInt8>) {
    write(name, .base64URL(bytes))
  }

  mutating func write(_ name: String, integer: Int64) {
    write(name, .integer(integer))
  }

  mutating func write(_ name: String, bool: Bool) {
    write(name, .bool(bool))
  }

  mutating func write(_ name: String, extensions: ClientExtensions) {
    writeObject(name) { (object: inout JSONObjectWriter) in extensions.write(into: &object) }
  }

  // Generic, like the writer's own functions: Swift 6.3 does not compile the conformance with `Never` in place of the
  // parameter.
  mutating func writeObjects<BodyFailure: Error>(
    _ name: String, count: Int, _ body: (Int, inout JSONObjectWriter) throws(BodyFailure) -> Void
  ) throws(BodyFailure) {
    try writeArray(name) { (array) throws(BodyFailure) in
      for index in 0..<count {
        try array.writeObject { (object) throws(BodyFailure) in try body(index, &object) }
      }
    }
  }
}

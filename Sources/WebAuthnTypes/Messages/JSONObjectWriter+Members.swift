// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

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

  mutating func write(_ name: String, bytes: Bytes) {
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

  // Generic as the writer's own are: with `Never` in place of the parameter, Swift 6.3 does not compile the conformance.
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

// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Where the members of a JSON object go: into JSON text, or to somebody's `Encoder`.
protocol MemberWriter: ~Copyable {
  associatedtype Failure: Error

  mutating func write(_ name: String, text: String) throws(Failure)
  mutating func write(_ name: String, texts: [String]) throws(Failure)
  mutating func write(_ name: String, bytes: Bytes) throws(Failure)
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

  mutating func writeIfPresent(_ name: String, bytes: Bytes?) throws(Failure) {
    if let bytes { try write(name, bytes: bytes) }
  }

  mutating func writeIfPresent(_ name: String, integer: Int64?) throws(Failure) {
    if let integer { try write(name, integer: integer) }
  }
}

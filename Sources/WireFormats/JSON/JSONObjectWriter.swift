// SPDX-License-Identifier: Apache-2.0

/// Writes the members of one object, in the order in which it is told them.
///
/// It is only ever lent to a closure, which cannot keep it and cannot leave the object open. Commas, colons and brackets
/// are its own affair. That each name is written once is the caller's: a name twice is still JSON, but our reader and
/// many others refuse it.
public struct JSONObjectWriter: ~Copyable {
  var output: JSONOutput

  init(output: consuming JSONOutput) {
    self.output = output
  }

  /// Writes a member.
  public mutating func write(_ name: String, _ value: JSONFragment) {
    _ = output.beginItem(named: name)
    output.write(value)
  }

  /// Writes a member that is an object. When `body` throws, the whole member is taken back.
  public mutating func writeObject<Failure: Error>(
    _ name: String, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeObject(behind: output.beginItem(named: name), body)
  }

  /// Writes a member that is an array. When `body` throws, the whole member is taken back.
  public mutating func writeArray<Failure: Error>(
    _ name: String, _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeArray(behind: output.beginItem(named: name), body)
  }
}

/// Writes the elements of one array; lent to a closure as ``JSONObjectWriter`` is.
public struct JSONArrayWriter: ~Copyable {
  var output: JSONOutput

  init(output: consuming JSONOutput) {
    self.output = output
  }

  /// Writes an element.
  public mutating func write(_ value: JSONFragment) {
    _ = output.beginItem()
    output.write(value)
  }

  /// Writes an element that is an object. When `body` throws, the whole element is taken back.
  public mutating func writeObject<Failure: Error>(
    _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeObject(behind: output.beginItem(), body)
  }

  /// Writes an element that is an array. When `body` throws, the whole element is taken back.
  public mutating func writeArray<Failure: Error>(
    _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeArray(behind: output.beginItem(), body)
  }
}

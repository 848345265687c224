// SPDX-License-Identifier: Apache-2.0

/// Writes the members of one object, in the order of the calls.
///
/// The writer is valid only inside the closure that receives it, so the object is always closed. The caller must write
/// each name once: the writer does not check for duplicates, which our reader and many others reject.
package struct JSONObjectWriter: ~Copyable {
  var output: JSONOutput

  init(output: consuming JSONOutput) {
    self.output = output
  }

  /// Writes a member.
  package mutating func write(_ name: String, _ value: JSONFragment) {
    _ = output.beginItem(named: name)
    output.write(value)
  }

  /// Writes a member that is a string.
  package mutating func write(_ name: String, _ text: String) {
    write(name, .string(text))
  }

  /// Writes a member that is a time in RFC 3339.
  package mutating func write(_ name: String, _ time: UnixTime) {
    write(name, .string(time.description))
  }

  /// Writes the members of an object that a writer has made.
  package mutating func writeMembers(ofWritten object: [UInt8]) {
    output.writeMembers(ofWritten: object)
  }

  /// Writes a member that is an object. If `body` throws, the whole member is removed.
  ///
  /// - Throws: The error of `body`.
  package mutating func writeObject<Failure: Error>(
    _ name: String, _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeObject(restoring: output.beginItem(named: name), body)
  }

  /// Writes a member that is an array. If `body` throws, the whole member is removed.
  ///
  /// - Throws: The error of `body`.
  package mutating func writeArray<Failure: Error>(
    _ name: String, _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeArray(restoring: output.beginItem(named: name), body)
  }
}

/// Writes the elements of one array. Like ``JSONObjectWriter``, it is valid only inside the closure that receives it.
package struct JSONArrayWriter: ~Copyable {
  var output: JSONOutput

  init(output: consuming JSONOutput) {
    self.output = output
  }

  /// Writes an element.
  package mutating func write(_ value: JSONFragment) {
    _ = output.beginItem()
    output.write(value)
  }

  /// Writes an element that is a string.
  package mutating func write(_ text: String) {
    write(.string(text))
  }

  /// Writes an element that is an object. If `body` throws, the whole element is removed.
  ///
  /// - Throws: The error of `body`.
  package mutating func writeObject<Failure: Error>(
    _ body: (inout JSONObjectWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeObject(restoring: output.beginItem(), body)
  }

  /// Writes an element that is an array. If `body` throws, the whole element is removed.
  ///
  /// - Throws: The error of `body`.
  package mutating func writeArray<Failure: Error>(
    _ body: (inout JSONArrayWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try output.writeArray(restoring: output.beginItem(), body)
  }
}

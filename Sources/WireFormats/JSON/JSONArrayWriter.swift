// SPDX-License-Identifier: Apache-2.0

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

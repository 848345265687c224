// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A property does not hold.
public struct Violation: Error, CustomStringConvertible {
  /// What is so, and must not be.
  public let description: String
}

/// Demands a part of a property; the words say what is so otherwise.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(Violation) {
  guard holds else { throw Violation(description: otherwise()) }
}

/// Demands that an offset is an index into the input, or its end.
func require(_ offset: Int, inside input: Bytes) throws(Violation) {
  try require((input.startIndex...input.endIndex).contains(offset), "offset \(offset) outside \(input.indices)")
}

/// What is read from the input, or nil where it is refused, with an offset that lies inside.
func accepted<Value>(_ input: Bytes, _ read: () throws(WireError) -> Value) throws(Violation) -> Value? {
  let offset: Int
  do throws(WireError) {
    return try read()
  } catch {
    offset = error.offset
  }
  try require(offset, inside: input)
  return nil
}

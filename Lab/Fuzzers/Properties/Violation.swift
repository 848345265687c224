// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A violated property.
public struct Violation: Error, CustomStringConvertible {
  /// A description of the violation.
  public let description: String
}

/// Checks a part of a property. `otherwise` describes the violation.
func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(Violation) {
  guard holds else { throw Violation(description: otherwise()) }
}

/// Checks that an offset is an index of the input or its end.
func require(_ offset: Int, inside input: Bytes) throws(Violation) {
  try require((input.startIndex...input.endIndex).contains(offset), "offset \(offset) outside \(input.indices)")
}

/// Returns the parsed value, or `nil` if the input is rejected with an offset in the input.
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

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

func checkJSON(_ input: Bytes) throws(Violation) {
  try require(
    JSON.withoutByteOrderMark(input).endIndex == input.endIndex, "the byte order mark was removed at the wrong end")
  guard let value = try accepted(input, { () throws(WireError) in try JSON.parse(input) }) else { return }
  try visit(value, input)
  try require(JSON.write(.verbatim(value)) == Array(value.encoded), "verbatim output differs from the input")
  // The layout does not change the value.
  let compact = JSON.write(.value(value))
  let pretty = JSON.write(.value(value), .pretty)
  try require(rewritten(compact) == compact, "two writes differ")
  try require(rewritten(pretty) == compact, "white space changes the value")
}

private func rewritten(_ text: [UInt8]) -> [UInt8]? {
  (try? JSON.parse(text[...], maximumSize: text.count)).map { JSON.write(.value($0)) }
}

/// Calls all accessors of a value. Error offsets must be in the input.
private func visit(_ value: JSONValue, _ input: Bytes) throws(Violation) {
  let encoded = value.encoded
  try require(
    encoded.startIndex >= input.startIndex && encoded.endIndex <= input.endIndex, "a value is outside the input")
  switch value.kind {
  case .null: try require(value.isNull && value.unlessNull == nil, "null accessors disagree")
  case .bool: try require((try? value.bool) != nil, "a Boolean has no value")
  case .number: try visitNumber(value, input)
  case .string:
    try require(
      (try? value.string).map { Array($0.utf8) } == (try? value.utf8).map(Array.init), "string accessors disagree")
    _ = try accepted(input) { () throws(WireError) in try value.base64URL }
    _ = try accepted(input) { () throws(WireError) in try value.base64 }
  case .array:
    guard let elements = try? value.array else { throw Violation(description: "an array is not accessible") }
    for element in elements { try visit(element, input) }
  case .object:
    guard let members = try? value.members else { throw Violation(description: "an object is not accessible") }
    for member in members {
      let found = try? value[member.name]
      try require(found?.offset == member.value.offset, "a member is not found by its name")
      try visit(member.value, input)
    }
  }
}

private func visitNumber(_ value: JSONValue, _ input: Bytes) throws(Violation) {
  let double = try accepted(input) { () throws(WireError) in try value.double }
  let integer = try accepted(input) { () throws(WireError) in try value.int64 }
  _ = try accepted(input) { () throws(WireError) in try value.uint64 }
  // Up to 2^53, the integer and the double are equal.
  if let integer, let double, abs(double) < 9e15 { try require(Double(integer) == double, "number accessors disagree") }
}

// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

func checkJSON(_ input: Bytes) throws(Violation) {
  try require(JSON.withoutByteOrderMark(input).endIndex == input.endIndex, "a mark taken off at the wrong end")
  guard let value = try accepted(input, { () throws(WireError) in try JSON.parse(input) }) else { return }
  try visit(value, input)
  try require(JSON.write(.verbatim(value)) == Array(value.encoded), "written otherwise, byte for byte")
  // However it is laid out, it stays what it is.
  let compact = JSON.write(.value(value))
  let pretty = JSON.write(.value(value), .pretty)
  try require(rewritten(compact) == compact, "written twice, and differently")
  try require(rewritten(pretty) == compact, "white space that says something")
}

private func rewritten(_ text: [UInt8]) -> [UInt8]? {
  (try? JSON.parse(text[...], maximumSize: text.count)).map { JSON.write(.value($0)) }
}

/// Everything that a value can be asked for; what it refuses must still lie inside.
private func visit(_ value: JSONValue, _ input: Bytes) throws(Violation) {
  let encoded = value.encoded
  try require(encoded.startIndex >= input.startIndex && encoded.endIndex <= input.endIndex, "a value outside")
  switch value.kind {
  case .null: try require(value.isNull && value.unlessNull == nil, "null and not null")
  case .bool: try require((try? value.bool) != nil, "neither true nor false")
  case .number: try visitNumber(value, input)
  case .string:
    try require((try? value.string).map { Array($0.utf8) } == (try? value.utf8).map(Array.init), "two strings")
    _ = try accepted(input) { () throws(WireError) in try value.base64URL }
    _ = try accepted(input) { () throws(WireError) in try value.base64 }
  case .array:
    guard let elements = try? value.array else { throw Violation(description: "an array that is none") }
    for element in elements { try visit(element, input) }
  case .object:
    guard let members = try? value.members else { throw Violation(description: "an object that is none") }
    for member in members {
      let found = try? value[member.name]
      try require(found?.offset == member.value.offset, "a member that its name does not find")
      try visit(member.value, input)
    }
  }
}

private func visitNumber(_ value: JSONValue, _ input: Bytes) throws(Violation) {
  let double = try accepted(input) { () throws(WireError) in try value.double }
  let integer = try accepted(input) { () throws(WireError) in try value.int64 }
  _ = try accepted(input) { () throws(WireError) in try value.uint64 }
  // Up to 2^53 a whole number is the same in both.
  if let integer, let double, abs(double) < 9e15 { try require(Double(integer) == double, "two numbers") }
}

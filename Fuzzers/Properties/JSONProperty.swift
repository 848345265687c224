// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

func checkJSON(_ input: Bytes) {
  do throws(WireError) {
    let value = try JSON.parse(input)
    try visit(value, input)
    require(JSON.write(.verbatim(value)) == Array(value.encoded), "written otherwise, byte for byte")
    // However it is laid out, it stays what it is.
    let compact = JSON.write(.value(value))
    let pretty = JSON.write(.value(value), .pretty)
    require(rewritten(compact) == compact, "written twice, and differently")
    require(rewritten(pretty) == compact, "white space that says something")
  } catch {
    requireInside(error.offset, input)
  }
  require(JSON.withoutByteOrderMark(input).endIndex == input.endIndex, "a mark taken off at the wrong end")
}

/// What was written can be read, and fits if its text may be longer than what came in: an escape can take six characters.
private func rewritten(_ text: [UInt8]) -> [UInt8]? {
  (try? JSON.parse(text[...], maximumSize: text.count)).map { JSON.write(.value($0)) }
}

/// Everything that a value can be asked for; what it refuses must still lie inside.
private func visit(_ value: JSONValue, _ input: Bytes) throws(WireError) {
  require(value.encoded.startIndex >= input.startIndex && value.encoded.endIndex <= input.endIndex, "a value outside")
  switch value.kind {
  case .null: require(value.isNull && value.unlessNull == nil, "null and not null")
  case .bool: _ = try value.bool
  case .number: askNumber(value, input)
  case .string:
    require(Array(try value.string.utf8) == Array(try value.utf8), "two strings")
    do throws(WireError) { _ = try value.base64URL } catch { requireInside(error.offset, input) }
    do throws(WireError) { _ = try value.base64 } catch { requireInside(error.offset, input) }
  case .array:
    for element in try value.array { try visit(element, input) }
  case .object:
    for member in try value.members {
      require(try value[member.name]?.offset == member.value.offset, "a member that its name does not find")
      try visit(member.value, input)
    }
  }
}

private func askNumber(_ value: JSONValue, _ input: Bytes) {
  let double = try? value.double
  let integer = try? value.int64
  if let integer, let double, abs(double) < 9e15 { require(Double(integer) == double, "two numbers") }
  do throws(WireError) { _ = try value.uint64 } catch { requireInside(error.offset, input) }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

func checkCBOR(_ input: Bytes) throws(Violation) {
  let general = try parsed(input, .general)
  let wellFormed = try parsed(input, .wellFormed)
  let canonical = try parsed(input, .canonical)
  // Each rule set is stricter than the previous one.
  try require(wellFormed == nil || general != nil, "well-formed rules accept input that general rules reject")
  try require(canonical == nil || wellFormed != nil, "canonical rules accept input that well-formed rules reject")

  if let canonical {
    try require(
      CBORWriter.bytes(of: CBORTree(canonical)) == Array(input), "canonical input differs from its re-encoding")
  }
  if let general {
    try require(
      general.encoded == input && general.offset == input.startIndex, "the stored encoding differs from the input")
    _ = CBORDiagnostic.text(of: general)
    _ = CBORDiagnostic.text(of: general, layout: .indented)
    // Writing and parsing again gives the same bytes.
    let written = CBORWriter.bytes(of: CBORTree(general))
    guard let again = try parsed(written[...], .wellFormed) else {
      throw Violation(description: "written CBOR is not well formed")
    }
    try require(CBORWriter.bytes(of: CBORTree(again)) == written, "two writes differ")
  }
  try checkSequence(input)
}

/// Reads consecutive items: the consumed and the remaining bytes together are the input.
private func checkSequence(_ input: Bytes) throws(Violation) {
  var reader = CBORReader(input, rules: .wellFormed)
  var position = input.startIndex
  while !reader.rest.isEmpty {
    guard let value = try? reader.readValue() else { break }
    try require(value.offset == position && !value.encoded.isEmpty, "an item has the wrong offset")
    position = value.encoded.endIndex
    try require(try parsed(value.encoded, .wellFormed) != nil, "an item cannot be parsed alone")
  }
  try require(reader.rest.startIndex == position && reader.rest.endIndex == input.endIndex, "bytes lost")
}

private func parsed(_ input: Bytes, _ rules: CBORRules) throws(Violation) -> CBORValue? {
  try accepted(input) { () throws(WireError) in try CBORValue(parsing: input, rules: rules) }
}

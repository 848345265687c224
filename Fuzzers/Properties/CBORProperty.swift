// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

func checkCBOR(_ input: Bytes) throws(Violation) {
  let general = try parsed(input, .general)
  let wellFormed = try parsed(input, .wellFormed)
  let canonical = try parsed(input, .canonical)
  // Each rule is stricter than the one before.
  try require(wellFormed == nil || general != nil, "well formed and refused by general rules")
  try require(canonical == nil || wellFormed != nil, "canonical and refused by a relying party's rules")

  if let canonical {
    try require(CBORWriter.bytes(of: CBORTree(canonical)) == Array(input), "canonical and written otherwise")
  }
  if let general {
    try require(general.encoded == input && general.offset == input.startIndex, "not its own bytes")
    _ = CBORDiagnostic.text(of: general)
    _ = CBORDiagnostic.text(of: general, layout: .indented)
    // What is written is read again, and is then what is written.
    let written = CBORWriter.bytes(of: CBORTree(general))
    guard let again = try parsed(written[...], .wellFormed) else {
      throw Violation(description: "written and not well formed")
    }
    try require(CBORWriter.bytes(of: CBORTree(again)) == written, "written twice, and differently")
  }
  try checkSequence(input)
}

/// Items one behind the other: what is consumed and what is left are together the input.
private func checkSequence(_ input: Bytes) throws(Violation) {
  var reader = CBORReader(input, rules: .wellFormed)
  var position = input.startIndex
  while !reader.rest.isEmpty {
    guard let value = try? reader.readValue() else { break }
    try require(value.offset == position && !value.encoded.isEmpty, "an item that begins elsewhere")
    position = value.encoded.endIndex
    try require(try parsed(value.encoded, .wellFormed) != nil, "an item that cannot stand alone")
  }
  try require(reader.rest.startIndex == position && reader.rest.endIndex == input.endIndex, "bytes lost")
}

private func parsed(_ input: Bytes, _ rules: CBORRules) throws(Violation) -> CBORValue? {
  try accepted(input) { () throws(WireError) in try CBORValue(parsing: input, rules: rules) }
}

// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

func checkCBOR(_ input: Bytes) {
  let general = parse(input, .general)
  let wellFormed = parse(input, .wellFormed)
  let canonical = parse(input, .canonical)
  // Each rule is stricter than the one before.
  require(wellFormed == nil || general != nil, "well formed and refused by general rules")
  require(canonical == nil || wellFormed != nil, "canonical and refused by a relying party's rules")

  if let canonical {
    require(CBORWriter.bytes(of: CBORTree(canonical)) == Array(input), "canonical and written otherwise")
  }
  if let general {
    require(general.encoded == input && general.encoded.startIndex == input.startIndex, "not its own bytes")
    _ = CBORDiagnostic.text(of: general)
    _ = CBORDiagnostic.text(of: general, layout: .indented)
    // What is written is read again, and is then what is written.
    let written = CBORWriter.bytes(of: CBORTree(general))
    guard let again = parse(written[...], .wellFormed) else { fatalError("written and not well formed") }
    require(CBORWriter.bytes(of: CBORTree(again)) == written, "written twice, and differently")
  }
  checkSequence(input)
}

/// Items one behind the other: what is consumed and what is left are together the input.
private func checkSequence(_ input: Bytes) {
  var reader = CBORReader(input, rules: .wellFormed)
  var position = input.startIndex
  while !reader.rest.isEmpty {
    guard let value = try? reader.readValue() else { break }
    require(value.encoded.startIndex == position && !value.encoded.isEmpty, "an item that begins elsewhere")
    position = value.encoded.endIndex
    require((try? CBORValue(parsing: value.encoded, rules: .wellFormed)) != nil, "an item that cannot stand alone")
  }
  require(reader.rest.startIndex == position && reader.rest.endIndex == input.endIndex, "bytes lost")
}

private func parse(_ input: Bytes, _ rules: CBORRules) -> CBORValue? {
  do throws(WireError) {
    return try CBORValue(parsing: input, rules: rules)
  } catch {
    requireInside(error.offset, input)
    return nil
  }
}

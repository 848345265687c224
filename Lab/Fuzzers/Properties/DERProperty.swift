// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

func checkDER(_ input: Bytes) throws(Violation) {
  var faults: [Violation] = []
  let written = try accepted(input) { () throws(WireError) in
    try DERReader.parse(input) { (reader) throws(WireError) in try copy(&reader, &faults) }
  }
  if let first = faults.first { throw first }
  if let written { try require(written == Array(input), "DER differs from its re-encoding") }

  if let signature = try accepted(input, { () throws(WireError) in try ECDSASignature(der: input) }) {
    try require(signature.der == Array(input), "a signature differs from its re-encoding")
  }
  _ = try accepted(input) { () throws(WireError) in try SubjectPublicKeyInfo(der: input) }
  if let identifier = DERObjectIdentifier(encoded: input) {
    try require(
      DERObjectIdentifier(dotted: identifier.description) == identifier, "an identifier does not survive its text form")
  }
}

/// Writes every element again by its type.
private func copy(_ reader: inout DERReader, _ faults: inout [Violation]) throws(WireError) -> [UInt8] {
  var writer = DERWriter()
  while !reader.isAtEnd {
    let ahead = reader
    let element = try reader.readElement()
    if element.tag.isConstructed {
      let inside = try element.readContent { (reader) throws(WireError) in try copy(&reader, &faults) }
      writer.write(element.tag, content: inside[...])
    } else {
      writer.write(element.tag, content: element.content)
      do throws(Violation) { try readValue(ahead) } catch { faults.append(error) }
    }
  }
  return writer.bytes
}

/// Reads the value by its tag. Error offsets must be in the input.
private func readValue(_ ahead: DERReader) throws(Violation) {
  var reader = ahead
  _ = try accepted(ahead.rest) { () throws(WireError) in
    switch try ahead.nextElement.tag {
    case .boolean: _ = try reader.readBoolean()
    case .null: try reader.readNull()
    case .enumerated: _ = try reader.readEnumerated()
    case .objectIdentifier: _ = try reader.readObjectIdentifier().description
    case .bitString: _ = try reader.readBitString().count
    case .octetString: _ = try reader.readOctetString()
    case .utf8String: _ = try reader.readUTF8String()
    case .printableString: _ = try reader.readPrintableString()
    case .ia5String: _ = try reader.readIA5String()
    case .utcTime, .generalizedTime: _ = try reader.readTime().description
    default: break
    }
  }
  var integer = ahead
  if let octets = try? integer.readInteger() { try checkInteger(octets, ahead) }
}

/// Checks that integers are written back to the same octets, by every type that reads them.
private func checkInteger(_ octets: Bytes, _ ahead: DERReader) throws(Violation) {
  var writer = DERWriter()
  writer.writeInteger(twosComplement: octets)
  var again = DERReader(writer.bytes[...])
  try require((try? again.readInteger()) == octets, "an integer differs from its re-encoding")
  var small = ahead
  if let number = try? small.readInt64() {
    var writer = DERWriter()
    writer.writeInteger(number)
    var again = DERReader(writer.bytes[...])
    try require((try? again.readInteger()) == octets, "a small integer differs from its re-encoding")
  }
}

extension DERReader {
  /// The next element, without consuming it.
  fileprivate var nextElement: DERElement {
    get throws(WireError) {
      var ahead = self
      return try ahead.readElement()
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

func checkDER(_ input: Bytes) {
  refuseInside(input) { () throws(WireError) in
    let written = try DERReader.parse(input) { (reader) throws(WireError) in
      try copy(&reader)
    }
    require(written == Array(input), "read and written otherwise")
  }
  refuseInside(input) { () throws(WireError) in
    require(try ECDSASignature(der: input).der == Array(input), "a signature written otherwise")
  }
  refuseInside(input) { () throws(WireError) in _ = try SubjectPublicKeyInfo(der: input) }
  if let identifier = ObjectIdentifier(encoded: input) {
    require(ObjectIdentifier(dotted: identifier.description) == identifier, "an identifier lost in its text")
  }
}

/// Every element, written again by what it is.
private func copy(_ reader: inout DERReader) throws(WireError) -> [UInt8] {
  var writer = DERWriter()
  while !reader.isAtEnd {
    var values = reader
    let element = try reader.readElement()
    if element.tag.isConstructed {
      let inside = try element.readContent { (reader) throws(WireError) in try copy(&reader) }
      writer.write(element.tag, content: inside[...])
    } else {
      writer.write(element.tag, content: element.content)
    }
    try? readValue(&values)
  }
  return writer.bytes
}

/// The reading of a value that goes with the tag; what it refuses must still lie inside.
private func readValue(_ reader: inout DERReader) throws(WireError) {
  let input = reader.rest
  do throws(WireError) {
    if try reader.isNext(.boolean) { _ = try reader.readBoolean() }
    if try reader.isNext(.integer) { try checkInteger(&reader) }
    if try reader.isNext(.null) { try reader.readNull() }
    if try reader.isNext(.objectIdentifier) { _ = try reader.readObjectIdentifier().description }
    if try reader.isNext(.bitString) { _ = try reader.readBitString().count }
    if try reader.isNext(.octetString) { _ = try reader.readOctetString() }
    if try reader.isNext(.utf8String) { _ = try reader.readUTF8String() }
    if try reader.isNext(.printableString) { _ = try reader.readPrintableString() }
    if try reader.isNext(.ia5String) { _ = try reader.readIA5String() }
    if try reader.isNext(.utcTime) { _ = try reader.readTime().description }
    if try reader.isNext(.generalizedTime) { _ = try reader.readTime().description }
  } catch {
    requireInside(error.offset, input)
    throw error
  }
}

private func checkInteger(_ reader: inout DERReader) throws(WireError) {
  var small = reader
  let octets = try reader.readInteger()
  var writer = DERWriter()
  writer.writeInteger(twosComplement: octets)
  var again = DERReader(writer.bytes[...])
  require(try again.readInteger() == octets, "an integer written otherwise")
  if let number = try? small.readInt64() {
    var writer = DERWriter()
    writer.writeInteger(number)
    var again = DERReader(writer.bytes[...])
    require(try again.readInteger() == octets, "a small integer written otherwise")
  }
}

private func refuseInside(_ input: Bytes, _ body: () throws(WireError) -> Void) {
  do throws(WireError) {
    try body()
  } catch {
    requireInside(error.offset, input)
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Our own DER vectors.
@Suite struct DERVectorsTests {
  private let vectors: JSONValue

  init() throws {
    vectors = try JSON.parse(File.bytes("\(projectFolder)/Vectors/codecs/der.json"))
  }

  @Test func `every accepted element has the expected value`() throws {
    let cases = Array(try vectors.require("accepted").array)
    #expect(cases.count == 44)
    for accepted in cases {
      let digits = try accepted.require("hex").string
      let value = try accepted["value"].map { String(decoding: JSON.write(.value($0)), as: UTF8.self) }
      #expect(try read(accepted) == value, "\(digits)")
    }
  }

  @Test func `every rejected element has the expected code`() throws {
    let cases = Array(try vectors.require("rejected").array)
    #expect(cases.count == 31)
    for rejected in cases {
      let digits = try rejected.require("hex").string
      let code = try rejected.require("code").string
      let error = #expect(throws: WireError.self, "\(digits)") { try read(rejected) }
      #expect(error?.code.rawValue == code, "\(digits)")
    }
  }

  /// Reads the element by its type and returns the value as JSON.
  private func read(_ element: JSONValue) throws -> String? {
    let type = try element.require("type").string
    return try DERReader.parse(hex(try element.require("hex").string)) { (reader) throws(WireError) in
      switch type {
      case "integer": return "\(try reader.readInt64())"
      case "boolean": return "\(try reader.readBoolean())"
      case "objectIdentifier": return "\"\(try reader.readObjectIdentifier())\""
      case "octetString": return "\"\(Hex.encode(try reader.readOctetString()))\""
      case "utf8String": return "\"\(try reader.readUTF8String())\""
      case "printableString": return "\"\(try reader.readPrintableString())\""
      case "ia5String": return "\"\(try reader.readIA5String())\""
      case "time": return "\"\(try reader.readTime())\""
      case "bitString":
        let bits = try reader.readBitString()
        return "[" + (0..<bits.count).filter { bits[$0] }.map(String.init).joined(separator: ",") + "]"
      default:
        try reader.readNull()
        return nil
      }
    }
  }
}

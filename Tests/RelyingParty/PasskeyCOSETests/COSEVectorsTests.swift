// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Our own COSE key vectors.
@Suite struct COSEVectorsTests {
  private let vectors: JSONValue

  init() throws {
    vectors = try JSON.parse(File.bytes("\(projectFolder)/Vectors/codecs/cose.json"))
  }

  @Test func `every accepted key is written back unchanged`() throws {
    let keys = Array(try vectors.require("accepted").array)
    #expect(keys.count == COSEAlgorithm.knownSignatureAlgorithms.count)
    for accepted in keys {
      let bytes = hex(try accepted.require("hex").string)
      let key = try COSEKey(parsing: bytes, rules: .canonical)
      #expect(key.encoded == bytes)
      #expect(key.algorithm.rawValue == (try accepted.require("algorithm").int64))
      #expect(key.material.keyType.rawValue == (try accepted.require("keyType").int64))
    }
  }

  @Test func `every rejected key has the expected code and label`() throws {
    let keys = Array(try vectors.require("rejected").array)
    #expect(keys.count == 19)
    for rejected in keys {
      let error = #expect(throws: COSEError.self) { try COSEKey(parsing: hex(try rejected.require("hex").string)) }
      #expect(error?.code.rawValue == (try rejected.require("code").string))
      #expect(error?.label == (try rejected.require("label").int64))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct JSONValueTests {
  @Test func `reads a sign-in response`() throws {
    let text = """
      {"id":"AQID","rawId":"AQID","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"_-8",
      "signature":"MAA","userHandle":null},"clientExtensionResults":{}}
      """
    let root = try readJSON(text)
    #expect(try root.require("rawId").base64URL == hex("010203"))
    #expect(try root.require("type").string == "public-key")
    let response = try root.require("response")
    #expect(try response.require("clientDataJSON").base64URL == Array("{}".utf8))
    #expect(try response.require("authenticatorData").base64URL == hex("ffef"))
    #expect(try response["userHandle"]?.unlessNull?.base64URL == nil)
    #expect(try response["unheard-of"]?.base64URL == nil)
    #expect(try root.require("clientExtensionResults").members.map(\.name) == [])
  }

  @Test func `each value has its kind, offset and text`() throws {
    let text = "[ null , true,false, -1.50e+1 ,\"a\\u0062\", [ 1 ] ,{ \"a\" : 1 } ]"
    let elements = Array(try readJSON(text).array)
    #expect(elements.map(\.kind) == [.null, .bool, .bool, .number, .string, .array, .object])
    let encoded = elements.map { String(decoding: $0.encoded, as: UTF8.self) }
    #expect(encoded == ["null", "true", "false", "-1.50e+1", "\"a\\u0062\"", "[ 1 ]", "{ \"a\" : 1 }"])
    #expect(elements.map(\.offset) == [2, 9, 14, 21, 31, 42, 49].map { $0 + JSONText.bytesBefore })
    #expect(elements.map(\.isNull) == [true, false, false, false, false, false, false])
    #expect(elements.map { $0.unlessNull == nil } == [true, false, false, false, false, false, false])
    #expect(try elements[1].bool)
    #expect(try !elements[2].bool)
    #expect(try readJSON(" [] ").encoded == Array("[]".utf8)[...])
  }

  @Test func `members are in text order, with the offsets of their names`() throws {
    let members = Array(try readJSON("{\"b\":{\"x\":[1,2]},\"\\u0061\":[3,[4]], \"c\":5}").members)
    #expect(members.map(\.name) == ["b", "a", "c"])
    #expect(members.map(\.nameOffset) == [1, 17, 35].map { $0 + JSONText.bytesBefore })
    #expect(members.map(\.value.offset) == [5, 26, 39].map { $0 + JSONText.bytesBefore })
    #expect(try members[2].value.int64 == 5)
  }

  @Test func `finds a member by its unescaped name`() throws {
    let value = try readJSON("{\"a\\u0062\":1,\"\":2,\"\\ud83d\\ude00\":3,\"a rather long name\":4,\"a\":{\"z\":5}}")
    #expect(try value["ab"]?.int64 == 1)
    #expect(try value[""]?.int64 == 2)
    #expect(try value["😀"]?.int64 == 3)
    #expect(try value["a rather long name"]?.int64 == 4)
    #expect(try value["a"]?["z"]?.int64 == 5)
    for absent in ["z", "a\\u0062", "b", "A", "a rather long nam", "ab\0"] { #expect(try value[absent] == nil) }
  }

  @Test func `a type mismatch is an error at the value`() throws {
    let elements = Array(try readJSON("[null,true,1,\"a\",[],{}]").array)
    for (index, value) in elements.enumerated() {
      let error = WireError(.jsonWrongType, at: value.offset)
      if index != 1 { #expect(throws: error) { try value.bool } }
      if index != 2 {
        #expect(throws: error) { try value.int64 }
        #expect(throws: error) { try value.uint64 }
        #expect(throws: error) { try value.double }
      }
      if index != 3 {
        #expect(throws: error) { try value.string }
        #expect(throws: error) { try value.utf8 }
        #expect(throws: error) { try value.base64URL }
        #expect(throws: error) { try value.base64 }
      }
      if index != 4 { #expect(throws: error) { try value.array } }
      if index != 5 {
        #expect(throws: error) { try value.members }
        #expect(throws: error) { try value["a"] }
        #expect(throws: error) { try value.require("a") }
      }
    }
    #expect(throws: WireError(.jsonMissingMember, at: elements[5].offset)) { try elements[5].require("a") }
  }

  @Test func `a value retains its text`() throws {
    func inner() throws -> JSONValue { try readJSON("{\"a\":[\"kept\"]}").require("a") }
    #expect(try inner().array.map { (value) throws(WireError) in try value.string } == ["kept"])
  }
}

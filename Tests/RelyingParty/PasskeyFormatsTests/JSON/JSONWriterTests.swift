// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct JSONWriterTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func options(_ style: JSON.Style) throws -> String {
    text(
      try JSON.writeObject(style) { (options) throws(WireError) in
        options.write("challenge", .base64URL(hex("fbff")))
        options.writeObject("rp") { rp in
          rp.write("id", "raxx.app")
          rp.write("name", .string("Raxx \"\n\""))
        }
        options.writeArray("pubKeyCredParams") { parameters in
          parameters.writeObject { $0.write("alg", -7) }
          parameters.writeArray { _ in }
        }
        options.write("timeout", .integer(UInt64.max))
        options.write("ratio", try .number(0.1))
        options.write("x5c", .base64(hex("fbff")))
        options.write("none", .null)
        options.write("yes", true)
        options.writeObject("empty") { _ in }
      })
  }

  @Test func `compact text has no white space`() throws {
    #expect(
      try options(.compact)
        == #"{"challenge":"-_8","rp":{"id":"raxx.app","name":"Raxx \"\n\""},"pubKeyCredParams":[{"alg":-7},[]],"#
        + #""timeout":18446744073709551615,"ratio":0.1,"x5c":"+/8=","none":null,"yes":true,"empty":{}}"#)
  }

  @Test(arguments: [("{}", ""), (#"{"a":[1]}"#, #""a":[1],"#), (#"{"a":1,"b":{}}"#, #""a":1,"b":{},"#)])
  func `text of a writer is taken over, whole and member by member`(_ written: String, _ members: String) {
    let text = self.text(
      JSON.writeObject { (object) in
        object.write("before", .written(Array(written.utf8)))
        object.writeMembers(ofWritten: Array(written.utf8))
        object.write("after", 2)
      })
    #expect(text == #"{"before":"# + written + "," + members + #""after":2}"#)
    #expect(self.text(JSON.writeObject { $0.writeMembers(ofWritten: Array(written.utf8)) }) == written)
  }

  @Test func `pretty text is indented by two spaces`() throws {
    #expect(
      try options(.pretty) == #"""
        {
          "challenge": "-_8",
          "rp": {
            "id": "raxx.app",
            "name": "Raxx \"\n\""
          },
          "pubKeyCredParams": [
            {
              "alg": -7
            },
            []
          ],
          "timeout": 18446744073709551615,
          "ratio": 0.1,
          "x5c": "+/8=",
          "none": null,
          "yes": true,
          "empty": {}
        }
        """#)
  }

  @Test func `strings and times need no conversion`() {
    let (name, time) = ("Ada", UnixTime(secondsSince1970: 1_800_000_000))
    let json = JSON.writeObject { object in
      object.write("name", name)
      object.write("time", time)
      object.writeArray("names") { $0.write(name) }
    }
    #expect(text(json) == #"{"name":"Ada","time":"2027-01-15T08:00:00Z","names":["Ada"]}"#)
  }

  @Test func `both styles have the same meaning`() throws {
    let compact = try options(.compact)
    let pretty = try options(.pretty)
    #expect(text(JSON.write(.value(try readJSON(pretty)))) == compact)
    #expect(text(JSON.write(.value(try readJSON(compact)), .pretty)) == pretty)
  }

  @Test func `escapes only the characters that need it`() throws {
    let all = String(String.UnicodeScalarView((UInt8(0)..<0x81).map { Unicode.Scalar($0) }))
    let expected =
      #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013\u0014"#
      + ##"\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f !\"#$%&'()*+,-./0123456789:;<=>?@"##
      + #"ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\u007f\u0080""#
    #expect(text(JSON.write(.string(all))) == expected)
    #expect(try readJSON(expected).string == all)
    #expect(text(JSON.write("é日本😀\u{2028}/")) == #""é日本😀\u2028/""#)
    #expect(text(JSON.writeObject { $0.write("a\"b\u{1}", 1) }) == #"{"a\"b\u0001":1}"#)
  }

  @Test func `always escapes DEL, C1 and bidirectional controls`() throws {
    let steering: [ClosedRange<UInt32>] = [
      0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff...0xfeff,
    ]
    for value in steering.flatMap({ Array($0) }) {
      let scalar = try #require(Unicode.Scalar(value))
      let written = JSON.write(.string("a\(scalar)é"))
      #expect(text(written) == "\"a\\u\(String(value + 0x10000, radix: 16).dropFirst())é\"")
      #expect(try readJSON(text(written)).string.unicodeScalars.contains(scalar))
    }
    for value in [0xa0, 0xff, 0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a, 0xfefe, 0xff00] as [UInt32]
    {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(text(JSON.write(.string("\(scalar)"))) == "\"\(scalar)\"")
    }
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (1e20, "1e+20"),
      (.leastNonzeroMagnitude, "5e-324"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (123456789.125, "123456789.125"), (100, "100"),
    ] as [(Double, String)])
  func `writes the shortest digits that identify a double`(number: Double, digits: String) throws {
    #expect(text(JSON.write(try .number(number))) == digits)
    #expect(try readJSON(digits).double == number)
  }

  @Test func `random doubles survive a round trip`() throws {
    var random = SeededGenerator(seed: 754)
    for _ in 0..<2000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      #expect(try readJSON(JSON.write(try .number(number))).double == number)
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, .signalingNaN])
  func `rejects infinities and NaN`(number: Double) {
    #expect(throws: WireError(.jsonNumberOutOfRange, at: 0)) { try JSONFragment.number(number) }
  }

  @Test func `an object or array whose closure throws is removed`() throws {
    struct GivenUp: Error {}
    for style in [JSON.Style.compact, .pretty] {
      let bytes = JSON.writeObject(style) { object in
        try? object.writeObject("a") { (inner) throws(GivenUp) in
          inner.write("x", 1)
          try inner.writeArray("y") { (deeper) throws(GivenUp) in
            deeper.write(1)
            throw GivenUp()
          }
        }
        object.write("b", 2)
        try? object.writeArray("c") { (_) throws(GivenUp) in throw GivenUp() }
        object.writeArray("d") { array in
          try? array.writeArray { (_) throws(GivenUp) in throw GivenUp() }
          array.write(3)
          try? array.writeObject { (inner) throws(GivenUp) in
            inner.write("z", 4)
            throw GivenUp()
          }
          array.write(5)
        }
      }
      #expect(text(JSON.write(.value(try readJSON(bytes)))) == #"{"b":2,"d":[3,5]}"#)
      if style == .pretty { #expect(text(bytes) == "{\n  \"b\": 2,\n  \"d\": [\n    3,\n    5\n  ]\n}") }
    }
    #expect(throws: GivenUp.self) { try JSON.writeArray { (_) throws(GivenUp) in throw GivenUp() } }
  }

  @Test func `writes a parsed value normalized or verbatim`() throws {
    let source = #"{ "a" : [ 1.50 , -0, 1E400 ] , "\u0062" : "\/\u00e9\u0001" }"#
    let value = try readJSON(source)
    #expect(text(JSON.write(.value(value))) == #"{"a":[1.50,-0,1E400],"b":"/é\u0001"}"#)
    #expect(text(JSON.write(.verbatim(value))) == source)
    #expect(text(JSON.writeArray { $0.write(.verbatim(value)) }) == "[\(source)]")
  }

  @Test(arguments: [
    "null", "[]", "{}", "\"\"", "[[],{},[{}]]", #"{"a":1,"b":[true,false,null],"c":{"d":"\u0001\"\\\n"},"é":1e5}"#,
  ])
  func `minimal text is written back unchanged`(source: String) throws {
    #expect(text(JSON.write(.value(try readJSON(source)))) == source)
  }
}

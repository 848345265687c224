// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Our own CBOR vectors and, where the shared vectors are present, Appendices A and F of RFC 8949.
@Suite struct CBORVectorsTests {
  enum Source: CaseIterable {
    case own
    case shared

    static let available = SharedVectors.arePresent ? allCases : [.own]

    var vectors: JSONValue {
      get throws {
        switch self {
        case .own: try JSON.parse(File.bytes("\(projectFolder)/Vectors/codecs/cbor.json"))
        case .shared: try JSON.parse(SharedVectors.bytes("cbor-rfc8949.json"), maximumSize: 1 << 20)
        }
      }
    }

    var exampleCount: Int { self == .own ? 90 : 81 }
    var malformedCount: Int { self == .own ? 91 : 94 }
  }

  @Test(arguments: Source.available) func `every example has the expected value`(source: Source) throws {
    let examples = Array(try source.vectors.require("examples").array)
    #expect(examples.count == source.exampleCount)
    for example in examples {
      let bytes = hex(try example.require("hex").string)
      let value = try CBORValue(parsing: bytes, rules: .general)
      let isExpected =
        if let diagnostic = try example["diagnostic"] {
          CBORDiagnostic.text(of: value) == (try diagnostic.string)
        } else {
          try value.equals(try example.require("value"))
        }
      #expect(isExpected, "\(Hex.encode(bytes)) is \(CBORDiagnostic.text(of: value))")
    }
  }

  @Test(arguments: Source.available)
  func `every shortest-form example is written back unchanged`(source: Source) throws {
    for example in try source.vectors.require("examples").array where try example.require("roundtrip").bool {
      let bytes = hex(try example.require("hex").string)
      #expect(CBORWriter.bytes(of: CBORTree(try CBORValue(parsing: bytes, rules: .general))) == bytes)
    }
  }

  @Test(arguments: Source.available)
  func `canonical rules accept only canonical examples and floats of any width`(source: Source) throws {
    for example in try source.vectors.require("examples").array {
      let bytes = hex(try example.require("hex").string)
      let value = try CBORValue(parsing: bytes, rules: .general)
      let isFloat = if case .float = value.kind { true } else { false }
      let isCanonical = (try? CBORValue(parsing: bytes, rules: .canonical)) != nil
      #expect(try isCanonical == (isFloat || example.require("canonicalCTAP2").bool), "\(Hex.encode(bytes))")
    }
  }

  @Test(arguments: Source.available) func `rejects everything that is not well formed`(source: Source) throws {
    let failures = Array(try source.vectors.require("notWellFormed").array)
    #expect(failures.count == source.malformedCount)
    for failure in failures { try expectRejection(of: failure, by: [.general, .wellFormed, .canonical]) }
  }

  @Test(arguments: Source.available, ["invalid", "hostile"])
  func `rejects invalid items and hostile sizes`(source: Source, group: String) throws {
    for failure in try source.vectors.require(group).array {
      try expectRejection(of: failure, by: [.general, .wellFormed, .canonical])
    }
  }

  @Test(arguments: Source.available)
  func `non-canonical items are accepted only by rules that allow them`(source: Source) throws {
    for failure in try source.vectors.require("notCanonical").array {
      try expectRejection(of: failure, by: [.canonical])
      let notes = try failure.require("notes").array.map { try $0.string }
      if notes.contains("duplicate-key") { try expectRejection(of: failure, by: [.general, .wellFormed]) }
      if notes.contains("indefinite") { try expectRejection(of: failure, by: [.wellFormed]) }
    }
  }

  /// Expects an error under each rule. Our own vectors list its code under the first rule.
  private func expectRejection(of failure: JSONValue, by rules: [CBORRules]) throws {
    let bytes = try failure.inputBytes
    let reason = try failure.require("why").string
    let code = try failure["code"]?.string
    for (index, rule) in rules.enumerated() {
      let error = #expect(throws: WireError.self, "\(reason), \(rule)") {
        try CBORValue(parsing: bytes, rules: rule)
      }
      if index == 0, let code { #expect(error?.code.rawValue == code, "\(reason), \(rule)") }
    }
  }
}

extension JSONValue {
  /// The bytes of `hex`, or a repeated unit followed by `then`.
  fileprivate var inputBytes: [UInt8] {
    get throws {
      if let digits = try self["hex"] { return hex(try digits.string) }
      let times = try require("repeat").require("times").integer(Int.self)
      let unit = hex(try require("repeat").require("hex").string)
      return Array(repeatElement(unit, count: times).joined()) + hex(try require("then").string)
    }
  }
}

extension CBORValue {
  /// Whether this equals the JSON value, as far as JSON can express it.
  fileprivate func equals(_ expected: JSONValue) throws -> Bool {
    switch kind {
    case .unsigned(let number): try expected.uint64 == number
    case .negative: "\(String(decoding: expected.encoded, as: UTF8.self))" == CBORDiagnostic.text(of: self)
    case .text(let utf8): try expected.utf8 == utf8
    case .chunkedText: try CBORTree(self) == .text(expected.string)
    case .simple(.true), .simple(.false): try expected.bool == bool
    case .simple(.null): expected.isNull
    case .float(let number): try expected.double == number.value
    case .array(let items): try items.equalAll(expected)
    case .map(let pairs): try pairs.equalAll(expected)
    case .bytes, .chunkedBytes, .tagged, .simple: false
    }
  }
}

extension CBORArray {
  fileprivate func equalAll(_ expected: JSONValue) throws -> Bool {
    let others = Array(try expected.array)
    guard others.count == count else { return false }
    return try zip(self, others).allSatisfy { try $0.equals($1) }
  }
}

extension CBORMap {
  fileprivate func equalAll(_ expected: JSONValue) throws -> Bool {
    let members = Array(try expected.members)
    guard members.count == count else { return false }
    return try zip(self, members).allSatisfy { pair, member in
      // JSON names are text, even if CBOR keys are numbers.
      let name = (try? pair.key.text) ?? CBORDiagnostic.text(of: pair.key)
      return try name == member.name && pair.value.equals(member.value)
    }
  }
}

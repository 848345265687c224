// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

/// Appendices A and F of RFC 8949, and related cases.
@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct CBORVectorsTests {
  let vectors: JSONValue

  init() throws {
    vectors = try JSON.parse(SharedVectors.bytes("cbor-rfc8949.json"), maximumSize: 1 << 20)
  }

  @Test func `every example of Appendix A has the expected value`() throws {
    let examples = try vectors.require("examples").array
    #expect(examples.reduce(0) { count, _ in count + 1 } == 81)
    for example in examples {
      let bytes = hex(try example.require("hex").string)
      let value = try CBORValue(parsing: bytes, rules: .general)
      let isMeant =
        if let diagnostic = try example["diagnostic"] {
          CBORDiagnostic.text(of: value) == (try diagnostic.string)
        } else {
          try value.means(try example.require("value"))
        }
      #expect(isMeant, "\(Hex.encode(bytes)) is \(CBORDiagnostic.text(of: value))")
    }
  }

  @Test func `every shortest-form example is written back unchanged`() throws {
    for example in try vectors.require("examples").array where try example.require("roundtrip").bool {
      let bytes = hex(try example.require("hex").string)
      #expect(CBORWriter.bytes(of: CBORTree(try CBORValue(parsing: bytes, rules: .general))) == bytes)
    }
  }

  @Test func `canonical rules accept only canonical examples and floats of any width`() throws {
    for example in try vectors.require("examples").array {
      let bytes = hex(try example.require("hex").string)
      let value = try CBORValue(parsing: bytes, rules: .general)
      let isFloat = if case .float = value.kind { true } else { false }
      let isCanonical = (try? CBORValue(parsing: bytes, rules: .canonical)) != nil
      #expect(try isCanonical == (isFloat || example.require("canonicalCTAP2").bool), "\(Hex.encode(bytes))")
    }
  }

  @Test func `rejects everything in Appendix F`() throws {
    let failures = try vectors.require("notWellFormed").array
    #expect(failures.reduce(0) { count, _ in count + 1 } == 94)
    for failure in failures { try expectRefusal(failure, by: [.general, .wellFormed, .canonical]) }
  }

  @Test func `rejects invalid items`() throws {
    for failure in try vectors.require("invalid").array {
      try expectRefusal(failure, by: [.general, .wellFormed, .canonical])
    }
  }

  @Test func `non-canonical items are accepted only by rules that allow them`() throws {
    for failure in try vectors.require("notCanonical").array {
      try expectRefusal(failure, by: [.canonical])
      let notes = try failure.require("notes").array.map { try $0.string }
      if notes.contains("duplicate-key") { try expectRefusal(failure, by: [.general, .wellFormed]) }
      if notes.contains("indefinite") { try expectRefusal(failure, by: [.wellFormed]) }
    }
  }

  @Test func `rejects hostile sizes and depths`() throws {
    for failure in try vectors.require("hostile").array {
      try expectRefusal(failure, by: [.general, .wellFormed, .canonical])
    }
  }

  private func expectRefusal(_ failure: JSONValue, by rules: [CBORRules]) throws {
    let bytes = try failure.inputBytes
    let reason = try failure.require("why").string
    for rule in rules {
      #expect(throws: WireError.self, "\(reason), \(rule)") {
        try CBORValue(parsing: bytes, rules: rule)
      }
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
  fileprivate func means(_ expected: JSONValue) throws -> Bool {
    switch kind {
    case .unsigned(let number): try expected.uint64 == number
    case .negative: "\(String(decoding: expected.encoded, as: UTF8.self))" == CBORDiagnostic.text(of: self)
    case .text(let utf8): try expected.utf8 == utf8
    case .chunkedText: try CBORTree(self) == .text(expected.string)
    case .simple(.true), .simple(.false): try expected.bool == bool
    case .simple(.null): expected.isNull
    case .float(let number): try expected.double == number.value
    case .array(let items): try items.meanAll(expected)
    case .map(let pairs): try pairs.meanAll(expected)
    case .bytes, .chunkedBytes, .tagged, .simple: false
    }
  }
}

extension CBORArray {
  fileprivate func meanAll(_ expected: JSONValue) throws -> Bool {
    let others = Array(try expected.array)
    guard others.count == count else { return false }
    return try zip(self, others).allSatisfy { try $0.means($1) }
  }
}

extension CBORMap {
  fileprivate func meanAll(_ expected: JSONValue) throws -> Bool {
    let members = Array(try expected.members)
    guard members.count == count else { return false }
    return try zip(self, members).allSatisfy { pair, member in
      // JSON names are text, even if CBOR keys are numbers.
      let name = (try? pair.key.text) ?? CBORDiagnostic.text(of: pair.key)
      return try name == member.name && pair.value.means(member.value)
    }
  }
}

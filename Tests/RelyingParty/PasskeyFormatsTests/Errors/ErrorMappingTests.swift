// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@Suite struct ErrorMappingTests {
  private struct Mapped: CodedError {
    enum Code: String { case malformed = "test.malformed" }

    let code = Code.malformed
    let detail: String?
    @Uncompared private(set) var cause: (any Error)?

    init(_ detail: String? = nil) {
      self.detail = detail
    }

    init(cause: any Error) {
      self.init("\(cause)")
      self.cause = cause
    }
  }

  private struct Named: CodedError {
    let code = Mapped.Code.malformed
    let detail: String
  }

  private static func text(_ bytes: [UInt8]) throws(WireError) -> String {
    try JSON.parse(bytes[...]).string
  }

  @Test func `the value of an expression is returned, and its error mapped`() throws {
    #expect(try mapError(Self.text(Array(#""ada""#.utf8)), Mapped.init(cause:)) == "ada")
    #expect(throws: Mapped("json.wrong-type at offset 0")) {
      try mapError(Self.text([0x31])) { (error: WireError) in Mapped("\(error)") }
    }
  }

  @Test func `errors of several types in a block are mapped alike`() {
    for (bytes, isCounted) in [([0x31] as [UInt8], true), (Array(#""ada""#.utf8), false)] {
      #expect(throws: Mapped.self) {
        try mapError(Mapped.init(cause:)) {
          _ = try Self.text(bytes)
          guard isCounted else { throw Mapped() }
        }
      }
    }
  }

  @Test func `errors are equal whatever caused them`() {
    let caused = Mapped(cause: WireError(.jsonWrongType, at: 0))
    #expect(caused.cause as? WireError == WireError(.jsonWrongType, at: 0))
    #expect(caused == Mapped("json.wrong-type at offset 0"))
    #expect(caused.hashValue == Mapped("json.wrong-type at offset 0").hashValue)
    #expect(caused != Mapped())
  }

  @Test func `a description is the code and the detail, if there is one`() {
    #expect("\(Mapped("not JSON"))" == "test.malformed: not JSON")
    #expect("\(Mapped())" == "test.malformed")
    #expect("\(Named(detail: "not JSON"))" == "test.malformed: not JSON")
    #expect("\(Named(detail: ""))" == "test.malformed")
  }
}

// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A part of an artifact, with the parts that it contains: one line of the tree and the lines below it.
package struct InspectionNode: Sendable {
  /// The part's name, from the standard that defines it.
  package internal(set) var name: String

  /// The part's value; nil where it only contains other parts.
  package internal(set) var value: Value?

  /// The meaning of the value, such as the name of an algorithm.
  package internal(set) var note: String?

  /// The position of the part in the artifact's bytes, or in the bytes of the artifact that contains it.
  package internal(set) var span: Range<Int>?

  /// The errors in this part.
  package internal(set) var problems: [InspectionProblem] = []

  /// Unusual but valid properties of this part.
  package internal(set) var remarks: [String] = []

  /// The parts that this one contains.
  package internal(set) var children: [InspectionNode] = []

  /// The value of a part.
  package enum Value: Sendable {
    /// A word, a number or a text, escaped for a terminal.
    case text(String)
    /// A byte string, rendered in hex.
    case bytes(Bytes)
    /// A credential ID, user handle or challenge, rendered in base64url as in WebAuthn's JSON.
    case identifier(Bytes)
  }

  init(_ name: String, _ value: Value? = nil, note: String? = nil, span: Range<Int>? = nil) {
    self.name = name
    self.value = value
    self.note = note
    self.span = span
  }

  /// The number of problems in this part and the parts that it contains.
  package var problemCount: Int {
    children.reduce(problems.count) { $0 + $1.problemCount }
  }

  /// Whether neither this part nor a part that it contains has a problem.
  package var isFlawless: Bool {
    problems.isEmpty && children.allSatisfy(\.isFlawless)
  }

  /// The first problem of the tree, with the names of the parts that lead to it from here.
  package var firstProblem: (path: [String], problem: InspectionProblem)? {
    if let problem = problems.first { return ([], problem) }
    for child in children {
      if let (path, problem) = child.firstProblem { return ([child.name] + path, problem) }
    }
    return nil
  }
}

/// An error in an artifact, with the code that the libraries of this package have for it.
package struct InspectionProblem: Equatable, Sendable, CustomStringConvertible {
  /// The code, such as `cbor.truncated`.
  package let code: String

  /// The offset of the error in the artifact; nil where it has none.
  package let offset: Int?

  /// Details that the code does not give, such as the compared values.
  package let message: String?

  init(_ error: WireError, _ message: String? = nil) {
    self.init(code: error.code.rawValue, offset: error.offset, message)
  }

  init(code: String, offset: Int?, _ message: String? = nil) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  /// The code, the offset and the details on one line.
  package var description: String {
    code + (offset.map { " at offset \($0)" } ?? "") + (message.map { ": \($0)" } ?? "")
  }
}

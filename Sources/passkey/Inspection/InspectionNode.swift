// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// One thing that was found in an artifact, with what is in it: a line of the tree and the lines below.
struct InspectionNode {
  var name: String
  var value: Value?

  /// What the value means.
  var note: String?

  /// Where it stands in the bytes of the artifact.
  var span: Range<Int>?

  /// What is wrong here.
  var problems: [InspectionProblem] = []

  /// What is odd here, and allowed.
  var remarks: [String] = []

  var children: [InspectionNode] = []

  enum Value {
    /// A word, a number, a text.
    case text(String)
    /// Bytes that have no better form.
    case bytes(Bytes)
  }

  init(_ name: String, _ value: Value? = nil, note: String? = nil, span: Range<Int>? = nil) {
    self.name = name
    self.value = value
    self.note = note
    self.span = span
  }

  /// How much is wrong here and below.
  var problemCount: Int {
    children.reduce(problems.count) { $0 + $1.problemCount }
  }

  /// Whether nothing is wrong here or below.
  var isFlawless: Bool {
    problems.isEmpty && children.allSatisfy(\.isFlawless)
  }

  /// The first thing that is wrong, and the names that lead to it from here.
  var firstProblem: (path: [String], problem: InspectionProblem)? {
    if let problem = problems.first { return ([], problem) }
    for child in children {
      if let (path, problem) = child.firstProblem { return ([child.name] + path, problem) }
    }
    return nil
  }
}

/// Something that must not be, with the code that the libraries have for it.
struct InspectionProblem: Equatable {
  let code: String
  let offset: Int?

  /// What was compared, where the code does not say it all.
  var message: String?

  init(_ error: WireError, _ message: String? = nil) {
    self.init(code: error.code.rawValue, offset: error.offset, message)
  }

  init(code: String, offset: Int?, _ message: String? = nil) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}

// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The result of a test.
package struct FIDOResult: Sendable {
  package let suite: FIDOSuite
  package let test: FIDOTest
  package fileprivate(set) var verdict: FIDOVerdict

  package init(suite: FIDOSuite, test: FIDOTest, verdict: FIDOVerdict) {
    (self.suite, self.test, self.verdict) = (suite, test, verdict)
  }

  /// The identifier, as the .NET library writes it.
  package var id: String { "\(suite.id) \(test.name)" }

  /// Writes the result as JSON.
  package func write(into object: inout JSONObjectWriter) {
    object.write("suite", .string(suite.id))
    object.write("test", .string(test.name))
    object.write("case", .string(test.words))
    switch verdict {
    case .passed: object.write("result", "passed")
    case .notRun(let why):
      object.write("result", "not-run")
      object.write("reason", .string(why))
    case .failed(let expected, let seen):
      object.write("result", "failed")
      object.write("expected", .string(expected))
      object.write("seen", .string(seen))
    }
  }
}

/// The results of a run.
package struct FIDOResults: Sendable {
  /// Every result, in the order of the tests.
  package private(set) var all: [FIDOResult]

  package init(_ all: [FIDOResult]) {
    self.all = all
  }

  /// The failed tests.
  package var failed: [FIDOResult] {
    all.filter { if case .failed = $0.verdict { true } else { false } }
  }

  /// Fails the tests whose BLOB was not refused with the expected codes.
  ///
  /// - Parameter refused: The codes of the error of each refused BLOB, by its name.
  package mutating func judgeBlobs(refused: [String: [String]]) {
    for index in all.indices {
      let test = all[index].test
      guard !test.blobRefusal.isEmpty, all[index].verdict == .passed else { continue }
      let seen = refused[test.model.rawValue] ?? []
      guard seen != test.blobRefusal else { continue }
      all[index].verdict = .failed(
        expected: "the BLOB refused: \(test.blobRefusal.joined(separator: ", "))",
        seen: seen.isEmpty ? "the BLOB accepted" : "the BLOB refused: \(seen.joined(separator: ", "))")
    }
  }

  // MARK: Output

  /// One line for each suite, the failures, and the totals.
  package var text: String {
    var lines = suites.map { (suite, results) in "\(suite.id): \(Counts(results))" }
    for result in all {
      switch result.verdict {
      case .passed: continue
      case .notRun(let why): lines.append("not run: \(result.id): \(why)")
      case .failed(let expected, let seen):
        lines += ["FAILED \(result.id): \(result.test.words)", "  expected: \(expected)", "  seen: \(seen)"]
      }
    }
    return (lines + ["\(all.count) tests: \(Counts(all))"]).joined(separator: "\n") + "\n"
  }

  /// A table with a row for each suite.
  package var markdown: String {
    let rows = suites.map { (suite, results) in
      let accepted = suite.tests.count(where: \.isAccepted)
      return "| `\(suite.id)` | \(accepted) | \(suite.tests.count - accepted) | \(Counts(results)) |"
    }
    let head = ["| suite | accepted | refused | result |", "|---|---|---|---|"]
    let accepted = all.count(where: \.test.isAccepted)
    let names = "\(suites.count) suites, \(all.count) tests"
    let total = "| \(names) | \(accepted) | \(all.count - accepted) | \(Counts(all)) |"
    return (head + rows + [total]).joined(separator: "\n") + "\n"
  }

  private var suites: [(suite: FIDOSuite, results: [FIDOResult])] {
    FIDOSuite.all.map { (suite) in (suite: suite, results: all.filter { $0.suite.id == suite.id }) }
  }

  private struct Counts: CustomStringConvertible {
    var passed = 0
    var failed = 0
    var notRun = 0

    init(_ results: [FIDOResult]) {
      for result in results {
        switch result.verdict {
        case .passed: passed += 1
        case .failed: failed += 1
        case .notRun: notRun += 1
        }
      }
    }

    var description: String {
      "\(passed) passed" + (failed == 0 ? "" : ", \(failed) failed") + (notRun == 0 ? "" : ", \(notRun) not run")
    }
  }
}

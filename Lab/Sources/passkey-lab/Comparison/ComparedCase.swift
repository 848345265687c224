// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnInspection

/// A case with the verdicts of this verifier and of other implementations.
struct ComparedCase {
  let recorded: VerificationCase
  let verdict: CaseVerdict

  /// The verdicts of the others, in the order of the implementations.
  let others: [AdapterVerdict]

  /// How the verdict of another implementation relates to ours.
  enum Relation {
    case agreement
    /// One of the two accepts the response, the other does not.
    case disagreement
    /// Both do not accept the response, and the other one fails with an error that is not documented.
    case crash
    /// The other implementation cannot judge the case.
    case unsupported
  }

  func relation(of other: AdapterVerdict) -> Relation {
    switch other.kind {
    case .unsupported: .unsupported
    case .crashed: verdict.isVerified ? .disagreement : .crash
    case .accepted: verdict.isVerified ? .agreement : .disagreement
    case .refused: verdict.isVerified ? .disagreement : .agreement
    }
  }

  /// Whether an implementation disagrees.
  var isDisputed: Bool { others.contains { relation(of: $0) == .disagreement } }

  /// Whether an implementation does not refuse the response with a documented error, nor accepts it.
  var hasCrash: Bool { others.contains { relation(of: $0) == .crash } }

  /// The numbered step of the standard and the codes by which this verifier refuses; `accepts` if it does not.
  var ownVerdict: String {
    guard let refusal = verdict.refusal else { return "accepts" }
    let step = refusal.step.map { "\(section) step \($0), " } ?? ""
    return "refuses: \(step)\(([refusal.code] + refusal.causes).joined(separator: ", "))"
  }

  /// The section of WebAuthn Level 3 for the ceremony.
  var section: String { recorded.ceremony == .registration ? "§7.1" : "§7.2" }

  /// Writes the verdicts as one line of JSON.
  func json(_ implementations: [AdapterDescription]) -> [UInt8] {
    JSON.writeObject { (object) in
      CaseReport.write(recorded, verdict, CaseComparison(verdict, with: recorded.expectation), into: &object)
      object.write("disputed", .bool(isDisputed))
      object.writeArray("others") { (others) in
        for (implementation, other) in zip(implementations, self.others) {
          others.writeObject { (object) in
            object.write("implementation", .string(implementation.name))
            object.write("verdict", .string(other.kind.rawValue))
            if let reason = other.reason { object.write("reason", .string(reason)) }
          }
        }
      }
    } + [UInt8(ascii: "\n")]
  }
}

extension AdapterVerdict.Kind {
  /// The verdict as a verb.
  var verb: String {
    switch self {
    case .accepted: "accepts"
    case .refused: "refuses"
    case .unsupported: "–"
    case .crashed: "crashes"
    }
  }
}

/// The number of cases in which an implementation agrees, and in which it does not.
struct ComparisonTally {
  private(set) var agreements = 0
  private(set) var disagreements = 0
  private(set) var crashes = 0
  private(set) var unsupported = 0

  mutating func count(_ relation: ComparedCase.Relation) {
    switch relation {
    case .agreement: agreements += 1
    case .disagreement: disagreements += 1
    case .crash: crashes += 1
    case .unsupported: unsupported += 1
    }
  }
}

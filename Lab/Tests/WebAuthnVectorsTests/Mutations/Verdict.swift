// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyTestSupport
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

/// The actual or expected result of a ceremony: verified, or refused with a code, a step and a cause.
struct Verdict: Hashable {
  let code: CeremonyError.Code?
  let step: Int?

  /// The code of the error that caused the refusal; nil where the ceremony itself refused.
  let cause: String?

  static let verified = Self(code: nil, step: nil, cause: nil)

  static func refused(_ code: CeremonyError.Code, step: Int, cause: String? = nil) -> Self {
    Self(code: code, step: step, cause: cause)
  }

  private init(code: CeremonyError.Code?, step: Int?, cause: String?) {
    (self.code, self.step, self.cause) = (code, step, cause)
  }

  /// Runs a ceremony and creates its result.
  init(of ceremony: () throws -> Void) {
    do {
      try ceremony()
      self = .verified
    } catch let error as CeremonyError {
      self.init(code: error.code, step: error.step, cause: error.cause?.code)
    } catch {
      self.init(code: nil, step: -1, cause: "\(error)")
    }
  }

  /// Whether this result is as expected. An expectation without a cause allows every cause.
  func meets(_ expected: Self) -> Bool {
    code == expected.code && step == expected.step && (expected.cause == nil || cause == expected.cause)
  }
}

extension Verdict: CustomStringConvertible {
  var description: String {
    guard let step else { return "verified" }
    return "\(code?.rawValue ?? "no ceremony") in step \(step)" + (cause.map { " (\($0))" } ?? "")
  }
}

extension CeremonyError.Cause {
  fileprivate var code: String {
    switch self {
    case .format(let error): error.code.rawValue
    case .key(let error): error.code.rawValue
    case .crypto(let error): error.code.rawValue
    case .attestation(let error): error.code.rawValue
    }
  }
}

/// A ceremony with one fault, and its expected verdict by the order of the standard's steps.
struct Mutant<Attempt> {
  let name: String
  let attempt: Attempt
  let expected: Verdict

  init(_ name: String, _ original: Attempt, _ expected: Verdict, _ corrupt: (inout Attempt) throws -> Void) rethrows {
    var attempt = original
    try corrupt(&attempt)
    (self.name, self.attempt, self.expected) = (name, attempt, expected)
  }
}

/// Returns the bits of a byte to flip, one at a time: one bit that depends on the index in normal runs, all bits in long
/// runs.
func flippedBits(at index: Int) -> [UInt8] {
  PropertyRuns.count() > PropertyRuns.defaultCount ? (0..<8).map { 1 << $0 } : [1 << UInt8(index % 8)]
}

// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

/// What a ceremony comes to, or should come to: verified, or refused in one step, for one cause.
struct Verdict: Hashable {
  let code: CeremonyError.Code?
  let step: Int?

  /// The code of the error beneath, where a floor below refused.
  let cause: String?

  static let verified = Self(code: nil, step: nil, cause: nil)

  static func refused(_ code: CeremonyError.Code, step: Int, cause: String? = nil) -> Self {
    Self(code: code, step: step, cause: cause)
  }

  private init(code: CeremonyError.Code?, step: Int?, cause: String?) {
    (self.code, self.step, self.cause) = (code, step, cause)
  }

  /// What the ceremony came to.
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

  /// Whether this is the expected one; a code that says all there is to say is expected without a cause.
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

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

/// That an act needs a confirmation of its own, or another one than was shown, with what to ask for (RFC 9470).
struct StepUpDemand: Error {
  /// Whether a confirmation is missing or was refused.
  let code: ServiceError.Code

  /// The act, as it was asked for.
  let action: ProtectedAction

  /// Where a confirmation begins, where it can.
  let optionsPath: String?

  /// The header of a request that shows a confirmation.
  static let header = "passkey-step-up"

  /// The challenge of an answer of 401.
  static let challenge = #"Bearer error="insufficient_user_authentication""#

  /// The member of a problem: what the confirmation is asked for with, as it is.
  func write(to object: inout JSONObjectWriter) {
    object.writeObject("stepUp") { (demand: inout JSONObjectWriter) in
      demand.write("method", .string(action.method))
      demand.write("path", .string(action.path))
      demand.write("bodySha256", .base64URL(action.bodyDigest))
      demand.write("header", .string(Self.header))
      if let optionsPath { demand.write("options", .string(optionsPath)) }
    }
  }
}

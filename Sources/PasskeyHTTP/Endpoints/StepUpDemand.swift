// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

/// A demand for a step-up, because the request has no grant or a rejected one (RFC 9470).
struct StepUpDemand: Error {
  /// Whether the grant is missing or was rejected.
  let code: ServiceError.Code

  /// The requested action.
  let action: ProtectedAction

  /// The path that begins a step-up; nil if the profile has none.
  let optionsPath: String?

  /// The request header with the step-up grant.
  static let header = "passkey-step-up"

  /// The challenge of the 401 response.
  static let challenge = #"Bearer error="insufficient_user_authentication""#

  /// Writes the member `stepUp` of a problem: the action to confirm, in the form in which the client sends it back.
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

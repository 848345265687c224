// SPDX-License-Identifier: Apache-2.0

internal import COSE

/// What the extension `payment` is asked at a registration (Secure Payment Confirmation). At a sign-in nobody may ask:
/// the browser does it itself, for a ``SecurePaymentConfirmationRequest``.
public struct PaymentInputs: Hashable, Sendable {
  /// The algorithms that the browser's own key may have; none means those of the credential.
  public var browserBoundKeys: [CredentialParameters]

  /// Takes what is asked.
  public init(browserBoundKeys: [CredentialParameters] = []) {
    self.browserBoundKeys = browserBoundKeys
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    guard try members.boolIfPresent("isPayment") == true else { throw members.invalid("isPayment") }
    browserBoundKeys = []
    for entry in try members.arrayIfPresent("browserBoundPubKeyCredParams") ?? [] {
      guard let type = entry["type"]?.string, let number = entry["alg"]?.number.flatMap({ Int64(exactly: $0) }) else {
        throw members.invalid("browserBoundPubKeyCredParams")
      }
      browserBoundKeys.append(
        CredentialParameters(type: CredentialType(rawValue: type), algorithm: COSEAlgorithm(rawValue: number)))
    }
  }

  /// What is asked, as JSON has it.
  public var value: ExtensionValue {
    let keys = browserBoundKeys.map { key in
      ExtensionValue.object(["type": .string(key.type.rawValue), "alg": .number(Double(key.algorithm.rawValue))])
    }
    return .object(
      ofPresent: ["isPayment": true, "browserBoundPubKeyCredParams": keys.isEmpty ? nil : .array(keys)])
  }
}

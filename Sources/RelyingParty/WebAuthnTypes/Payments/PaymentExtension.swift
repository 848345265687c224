// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

/// The input of the extension `payment` at a registration (Secure Payment Confirmation). A page cannot request the
/// extension at a sign-in: the browser adds it for a ``SecurePaymentConfirmationRequest``.
package struct PaymentInputs: Hashable, Sendable {
  /// The algorithms of the browser-bound key; empty for those of the credential.
  package var browserBoundKeys: [CredentialParameters]

  /// Creates an input.
  package init(browserBoundKeys: [CredentialParameters] = []) {
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

  /// The input as a JSON value.
  package var value: ExtensionValue {
    let keys = browserBoundKeys.map { key in
      ExtensionValue.object(["type": .string(key.type.rawValue), "alg": .number(Double(key.algorithm.rawValue))])
    }
    return .object(
      ofPresent: ["isPayment": true, "browserBoundPubKeyCredParams": keys.isEmpty ? nil : .array(keys)])
  }
}

/// The client's output of the extension `payment` (Secure Payment Confirmation).
package struct PaymentOutputs: Hashable, Sendable {
  /// The signature over the client data made with the browser-bound key, if any.
  package var browserBoundSignature: [UInt8]?

  /// Creates an output.
  package init(browserBoundSignature: [UInt8]? = nil) {
    self.browserBoundSignature = browserBoundSignature
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    browserBoundSignature = try members.objectIfPresent("browserBoundSignature")?.byteArray("signature")
  }

  /// The output as a JSON value.
  package var value: ExtensionValue {
    let signature = browserBoundSignature.map { ExtensionValue.object(["signature": .base64URL($0)]) }
    return .object(ofPresent: ["browserBoundSignature": signature])
  }
}

extension PaymentOutputs: CustomStringConvertible {
  /// A one-line summary.
  package var description: String { browserBoundSignature == nil ? "nothing" : "signed by the browser's own key" }
}

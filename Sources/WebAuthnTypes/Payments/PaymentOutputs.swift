// SPDX-License-Identifier: Apache-2.0

/// What a client says of the extension `payment` (Secure Payment Confirmation).
public struct PaymentOutputs: Hashable, Sendable {
  /// The signature of the browser's own key over the client data, where it has such a key.
  public var browserBoundSignature: [UInt8]?

  /// Takes what is said.
  public init(browserBoundSignature: [UInt8]? = nil) {
    self.browserBoundSignature = browserBoundSignature
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    browserBoundSignature = try members.objectIfPresent("browserBoundSignature")?.bytes("signature")
  }

  /// What is said, as JSON has it.
  public var value: ExtensionValue {
    let signature = browserBoundSignature.map { ExtensionValue.object(["signature": .base64URL($0)]) }
    return .object(ofPresent: ["browserBoundSignature": signature])
  }
}

extension PaymentOutputs: CustomStringConvertible {
  /// In words.
  public var description: String { browserBoundSignature == nil ? "nothing" : "signed by the browser's own key" }
}

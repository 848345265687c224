// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// A checked `https` URL of a destination.
struct DeliveryURL: Hashable, Sendable {
  let text: String
  /// Scheme, host and port, which may appear in messages. A webhook's path can be a secret.
  let origin: String

  /// - Throws: `delivery.address-invalid`.
  init(_ text: String) throws(DeliveryError) {
    let prefix = "https://"
    guard text.hasPrefix(prefix), text.utf8.count <= 2_048,
      text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && !"\"<>\\^`{|}#".utf8.contains($0) })
    else {
      throw DeliveryError(.addressInvalid, "use an https URL, with special characters escaped and without a fragment")
    }
    let authority = text.dropFirst(prefix.count).prefix { !"/?".contains($0) }
    guard let origin = try? WebOrigin(prefix + authority.lowercased()), case .web = origin.kind else {
      throw DeliveryError(.addressInvalid, "use an https URL with a host and without a user name")
    }
    self.text = text
    self.origin = origin.text
  }
}

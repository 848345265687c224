// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension Inspector {
  /// Takes client data apart (WebAuthn §5.8.1).
  func clientData(_ text: Bytes, named name: String) -> InspectionNode {
    json(text, named: name, .clientData)
  }

  /// Takes a response apart. The origin in its client data yields candidate RP IDs for the hash in its authenticator data.
  func response(_ text: Bytes, named name: String, _ shape: JSONShape) -> InspectionNode {
    var inspector = self
    inspector.relyingPartyIDs = Self.relyingPartyIDs(in: text) + relyingPartyIDs
    return inspector.json(text, named: name, shape)
  }

  /// The length of the longest host name (RFC 1035 §2.3.4).
  private static let maximumHostLength = 253

  /// Returns the host of the response's origin, and every parent domain.
  private static func relyingPartyIDs(in text: Bytes) -> [String] {
    guard let value = try? JSON.parse(text), let response = try? unwrapped(value, .any)["response"],
      let clientData = try? response["clientDataJSON"]?.base64URL,
      let origin = try? JSON.parse(clientData[...])["origin"]?.string,
      let host = origin.split(separator: "/").dropFirst().first?.split(separator: ":").first,
      host.utf8.count <= maximumHostLength
    else { return [] }
    let labels = host.split(separator: ".")
    return labels.indices.map { labels[$0...].joined(separator: ".") }
  }
}

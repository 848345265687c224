// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension Inspector {
  /// Client data: the JSON that the signature covers (WebAuthn §5.8.1).
  func clientData(_ text: Bytes, named name: String) -> InspectionNode {
    json(text, named: name, .clientData)
  }

  /// A response, whose client data say for which RP IDs a hash may be.
  func response(_ text: Bytes, named name: String, _ shape: JSONShape) -> InspectionNode {
    var inspector = self
    inspector.relyingPartyIDs = Self.relyingPartyIDs(in: text) + relyingPartyIDs
    return inspector.json(text, named: name, shape)
  }

  /// RFC 1035 §2.3.4.
  private static let longestHost = 253

  /// The host of the response's origin, and every domain above it.
  private static func relyingPartyIDs(in text: Bytes) -> [String] {
    guard let value = try? JSON.parse(text), let response = try? unwrapped(value, .any)["response"],
      let clientData = try? response["clientDataJSON"]?.base64URL,
      let origin = try? JSON.parse(clientData[...])["origin"]?.string,
      let host = origin.split(separator: "/").dropFirst().first?.split(separator: ":").first,
      host.utf8.count <= longestHost
    else { return [] }
    let labels = host.split(separator: ".")
    return labels.indices.map { labels[$0...].joined(separator: ".") }
  }
}

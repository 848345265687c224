// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension DistinguishedName: CustomStringConvertible {
  /// The name as RFC 4514 writes it: the narrowest part first, as in `CN=Root,O=Example,C=US`.
  public var description: String {
    relativeNames.reversed().map { $0.map(\.description).joined(separator: "+") }.joined(separator: ",")
  }
}

extension DistinguishedName.Attribute: CustomStringConvertible {
  /// The type and the value as RFC 4514 §2.3 and §2.4 write them.
  public var description: String {
    guard let keyword = Self.keywords[type], let text else { return "\(type)=#\(Hex.encode(value.encoded))" }
    return "\(keyword)=\(escaped(text))"
  }

  /// RFC 4514 §3
  private static let keywords: [ObjectIdentifier: String] = [
    .commonName: "CN", [2, 5, 4, 7]: "L", [2, 5, 4, 8]: "ST", .organizationName: "O", .organizationalUnitName: "OU",
    .countryName: "C", [2, 5, 4, 9]: "STREET", [0, 9, 2342, 19_200_300, 100, 1, 25]: "DC",
    [0, 9, 2342, 19_200_300, 100, 1, 1]: "UID",
  ]

  /// RFC 4514 §2.4; what may not be shown is written in hex besides, so that a name cannot break a log's lines.
  private func escaped(_ text: String) -> String {
    var escaped = ""
    let scalars = Array(text.unicodeScalars)
    for (position, scalar) in scalars.enumerated() {
      let isAtEdge = position == 0 || position == scalars.count - 1
      switch scalar {
      case "\"", "+", ",", ";", "<", ">", "\\": escaped += "\\\(scalar)"
      case " " where isAtEdge, "#" where position == 0: escaped += "\\\(scalar)"
      case _ where !scalar.mayBeShown:
        escaped += String(scalar).utf8.map { "\\\(Hex.encode([$0]))" }.joined()
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

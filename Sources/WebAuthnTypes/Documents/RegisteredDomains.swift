// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Domains that somebody registered, so that the label of an origin below them is known without a public suffix list.
struct RegisteredDomains {
  private let domains: [String]

  /// Takes domains of two labels at least, none of them below another: what lies below a registered domain is its own.
  init(_ domains: [String]) throws(FormatError) {
    for (index, domain) in domains.enumerated() {
      let name = [UInt8](domain.utf8)[...]
      let isUsable =
        DomainName.firstFault(in: name, allowingUnderscores: false) == nil && !DomainName.endsInNumber(name)
        && name.contains(UInt8(ascii: "."))
      let isBelowAnother = domains.contains { $0 != domain && Self.isHost(domain, atOrBelow: $0) }
      guard isUsable, !isBelowAnother else {
        throw FormatError(.relatedOriginsDomainInvalid, at: 0, member: "registeredDomains[\(index)]")
      }
    }
    self.domains = domains
  }

  /// The registrable origin label (WebAuthn §4): the first label of the domain that was registered.
  func label(of origin: Origin, named member: String) throws(FormatError) -> String {
    guard case .web("https", let host, _) = origin.kind, !host.hasPrefix("["),
      !DomainName.endsInNumber([UInt8](host.utf8)[...])
    else { throw FormatError(.relatedOriginsOriginUnusable, at: 0, member: member) }
    guard let domain = domains.first(where: { Self.isHost(host, atOrBelow: $0) }),
      let label = domain.split(separator: ".").first
    else { throw FormatError(.relatedOriginsDomainNotNamed, at: 0, member: member) }
    return String(label)
  }

  private static func isHost(_ host: String, atOrBelow domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain)
  }
}

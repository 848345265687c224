// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// document = { "origins": [origin…] }          WebAuthn §5.11, served as application/json at /.well-known/webauthn

/// The origins outside the RP ID's domain that may use its passkeys (WebAuthn §5.11).
///
/// A client counts the *registrable origin labels* of the list: `example` is the label of both
/// `https://www.example.co.uk` and `https://example.de`. Once it has reached its limit, it silently ignores every
/// origin with a further label. Every client must allow five labels, and the most common browsers allow no more, so a
/// list created here has at most five.
public struct RelatedOrigins: JSONRepresentable, Hashable, Sendable {
  /// The origins in the order of the document. The order matters if a client reaches its limit of labels.
  public let origins: [WebOrigin]

  /// The path of the document on the host that is the RP ID.
  public static let path = "/.well-known/webauthn"

  /// The number of labels that every client must support [§5.11].
  package static let maximumLabelCount = 5

  /// Creates a list of origins, each at or below one of the registered domains.
  ///
  /// Finding an origin's label takes the public suffix list, which changes. The operator knows the registered domains,
  /// such as `["raxx.app", "raxx.co.uk"]`, so they are a parameter. Duplicates of an origin are dropped.
  ///
  /// - Throws: `related-origins.domain-invalid`, `related-origins.domain-not-named` for an origin below none of the
  ///   domains, `related-origins.origin-unusable` for an origin that clients ignore, or
  ///   `related-origins.too-many-labels`.
  public init(_ origins: [WebOrigin], registeredDomains: [String]) throws(FormatError) {
    let domains = try RegisteredDomains(registeredDomains)
    var listed: [WebOrigin] = []
    var labels: Set<String> = []
    for (index, origin) in origins.enumerated() where !listed.contains(origin) {
      let label = try domains.label(of: origin, named: "origins[\(index)]")
      guard labels.contains(label) || labels.count < Self.maximumLabelCount else {
        throw FormatError(.relatedOriginsTooManyLabels, at: 0, member: "origins[\(index)]")
      }
      labels.insert(label)
      listed.append(origin)
    }
    self.origins = listed
  }

  /// The document as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { document in
      document.writeArray("origins") { list in
        for origin in origins { list.write(.string(origin.text)) }
      }
    }
  }
}

extension RelatedOrigins {

  /// Parses a fetched document (WebAuthn §5.11.1, step 2).
  ///
  /// The document must be an object whose `origins` is an array of strings. As in the standard, a string that is not a
  /// web URL with a host is skipped, and the path, query and fragment of a URL are ignored. Labels are not counted
  /// here: a client applies its own limit and its own public suffix list.
  ///
  /// - Throws: `related-origins.malformed`.
  public init(json: [UInt8]) throws(FormatError) {
    let texts: [Bytes]
    do throws(WireError) {
      texts = try Self.texts(in: json)
    } catch {
      throw FormatError(.relatedOriginsMalformed, error)
    }
    origins = texts.compactMap(Self.origin)
  }

  private static func texts(in json: [UInt8]) throws(WireError) -> [Bytes] {
    var texts: [Bytes] = []
    for item in try JSON.parse(JSON.withoutByteOrderMark(json)).require("origins").array { texts.append(try item.utf8) }
    return texts
  }

  /// Returns the origin of an `https` or `http` URL, or nil for any other text.
  private static func origin(of url: Bytes) -> WebOrigin? {
    let trimmed = url.drop { $0 <= 0x20 }
    guard let colon = trimmed.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = trimmed[..<colon].map(lowercased)
    guard ["https", "http"].contains(String(decoding: scheme, as: UTF8.self)) else { return nil }
    let rest = trimmed[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else { return nil }
    let ends = "/?#\\ \t\r\n".utf8
    let authority = rest.dropFirst(2).prefix { !ends.contains($0) }
    // A user name and password in a URL are not part of its origin.
    let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
    return try? WebOrigin(utf8: scheme + "://".utf8 + host.map(lowercased))
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}

/// Registered domains, which determine the label of an origin below them without a public suffix list.
struct RegisteredDomains {
  private let domains: [String]

  /// Takes domains with two or more labels, none of them below another: a subdomain of a registered domain is not
  /// registered separately.
  init(_ domains: [String]) throws(FormatError) {
    for (index, domain) in domains.enumerated() {
      let name = Bytes(domain.utf8)
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

  /// Returns the registrable origin label (WebAuthn §4): the first label of the registered domain.
  func label(of origin: WebOrigin, named member: String) throws(FormatError) -> String {
    guard case .web("https", let host, _) = origin.kind, !host.hasPrefix("["),
      !DomainName.endsInNumber(Bytes(host.utf8))
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

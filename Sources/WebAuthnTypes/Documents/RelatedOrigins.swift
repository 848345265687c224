// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// document = { "origins": [origin…] }          WebAuthn §5.11, served as application/json at /.well-known/webauthn

/// The origins that may use a relying party's passkeys though they are not below its RP ID (WebAuthn §5.11).
///
/// A client goes through the list and remembers the *registrable origin labels* that it comes by: `example` is that of
/// `https://www.example.co.uk` and of `https://example.de` alike. Once it has seen as many as it allows, it passes over
/// each further one, without a word. Five is what every client must allow, and the most popular ones allow no more:
/// a list that is made here has at most five.
public struct RelatedOrigins: Hashable, Sendable {
  /// The origins, in the document's order, which matters where a client stops counting.
  public let origins: [Origin]

  /// Where clients look for the document, on the host that is the RP ID.
  public static let path = "/.well-known/webauthn"

  /// How many labels every client must support [§5.11].
  public static let maximumLabelCount = 5

  /// Lists origins, each of them at or below one of the domains that one registered.
  ///
  /// What can be registered below `.uk` and what below `.co.uk`, only the public suffix list knows, and it changes. Whoever
  /// runs these sites knows what was registered, and says it: `["raxx.app", "raxx.co.uk"]`. That gives the label of each
  /// origin for certain, and an origin below none of the domains is refused rather than guessed at.
  ///
  /// An origin that a client would pass over is refused too: one that is not `https`, an address, a native application.
  /// One that is named twice stands once.
  public init(_ origins: [Origin], registeredDomains: [String]) throws(FormatError) {
    let domains = try RegisteredDomains(registeredDomains)
    var listed: [Origin] = []
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

  /// The document.
  public var json: [UInt8] {
    JSON.writeObject { document in
      document.writeArray("origins") { list in
        for origin in origins { list.write(.string(origin.text)) }
      }
    }
  }
}

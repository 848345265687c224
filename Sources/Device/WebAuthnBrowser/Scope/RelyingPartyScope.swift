// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnTypes

// W3C Web Authentication Level 3, §5.1.3 steps 6 to 8, which are §5.1.4.1 steps 5 to 7; §5.11.1.

/// The check whether an origin may use an RP ID.
package struct RelyingPartyScope: Sendable {
  private let origin: WebOrigin
  private let publicSuffixes: (any PublicSuffixes)?
  private let relatedOrigins: (any RelatedOriginsSource)?

  /// The number of registrable origin labels that are considered: the minimum for all clients, and what browsers use
  /// [§5.11].
  static let maximumLabelCount = RelatedOrigins.maximumLabelCount

  /// Creates the scope of an origin. Without a public suffix list, an origin may use its own domain only; without a
  /// source of related origins, it has none.
  package init(
    of origin: WebOrigin, publicSuffixes: (any PublicSuffixes)?, relatedOrigins: (any RelatedOriginsSource)? = nil
  ) {
    self.origin = origin
    self.publicSuffixes = publicSuffixes
    self.relatedOrigins = relatedOrigins
  }

  /// Returns the RP ID of a ceremony: the requested one if the origin may use it, or the origin's own domain by
  /// default.
  ///
  /// - Throws: `client.origin-not-allowed`, `client.origin-opaque`, `client.origin-insecure`,
  ///   `client.origin-has-no-domain`, `client.related-origins-unavailable` or `client.cancelled`.
  package func relyingPartyID(requested: RelyingPartyID?) async throws(ClientError) -> RelyingPartyID {
    let domain = try effectiveDomain()
    // The default is the effective domain.
    guard let requested else { return domain }
    // The origin's domain, or a registrable suffix of it, is allowed;
    if isRegistrableSuffixOrEqual(requested.text, to: domain.text) { return requested }
    // otherwise the RP ID's host has to list the origin as related.
    guard let relatedOrigins else {
      throw ClientError(.originNotAllowed, "\(origin) is not at or below \(requested)")
    }
    guard isNamed(in: try await document(of: requested, from: relatedOrigins)) else {
      throw ClientError(.originNotAllowed, "\(origin) is not at or below \(requested), nor one of its related origins")
    }
    return requested
  }

  /// §5.11.1, step 2: if the document is unavailable for any reason, the origin may not use the RP ID.
  private func document(
    of relyingParty: RelyingPartyID, from source: any RelatedOriginsSource
  ) async throws(ClientError) -> RelatedOrigins {
    do throws(ClientError) {
      return try await source.document(of: relyingParty)
    } catch {
      if error.code == .cancelled || error.code == .relatedOriginsUnavailable { throw error }
      throw ClientError(.relatedOriginsUnavailable, "\(origin) is not at or below \(relyingParty), and \(error)")
    }
  }

  /// Returns whether the origin may use this legacy U2F AppID. Instead of fetching the facet list of the FIDO
  /// algorithm, it requires the same site, as browsers do (§10.1.1).
  package func allows(appID: String) -> Bool {
    // The caller's own FacetID needs no check (FIDO AppID and Facet Specification §3.1.2 step 1).
    if appID == origin.text { return true }
    guard let host = Self.host(ofAppID: appID), let domain = try? effectiveDomain() else { return false }
    if host == domain.text { return true }
    guard let site = publicSuffixes?.registrableDomain(of: domain.text) else { return false }
    return publicSuffixes?.registrableDomain(of: host) == site
  }

  /// Throws unless the origin may use this AppID.
  func requireAllowed(appID: String) throws(ClientError) {
    guard allows(appID: appID) else { throw ClientError(.appIDNotAllowed, "\(origin) may not use the AppID \(appID)") }
  }

  /// Returns the origin's effective domain. Throws if it has none or is not a secure context.
  func effectiveDomain() throws(ClientError) -> RelyingPartyID {
    // An origin that is not a web origin is opaque.
    guard case .web(let scheme, let host, _) = origin.kind else { throw ClientError(.originOpaque, "\(origin)") }
    // IP addresses are not domains.
    let domain = try mapError(RelyingPartyID(host)) { (_: FormatError) in ClientError(.originHasNoDomain, "\(origin)") }
    // The API is available in secure contexts only.
    guard scheme == "https" || Self.isThisMachine(host) else { throw ClientError(.originInsecure, "\(origin)") }
    return domain
  }

  /// "Is a registrable domain suffix of or is equal to" (HTML), for two domains.
  func isRegistrableSuffixOrEqual(_ suffix: String, to domain: String) -> Bool {
    if suffix == domain { return true }
    guard domain.hasSuffix("." + suffix), let publicSuffixes,
      let suffixOfDomain = publicSuffixes.publicSuffix(of: domain)
    else { return false }
    return !publicSuffixes.isPublicSuffix(suffix) && !suffixOfDomain.hasSuffix("." + suffix)
  }

  /// Returns whether the document lists the origin (WebAuthn §5.11.1, steps 3 to 5).
  private func isNamed(in document: RelatedOrigins) -> Bool {
    // 3. Start with no labels seen.
    var labelsSeen: Set<String> = []
    // 4. For each origin:
    for listed in document.origins {
      // 4.1, 4.2. skip it unless it is a URL with a domain;
      guard case .web(_, let host, _) = listed.kind, (try? RelyingPartyID(host)) != nil,
        // 4.3, 4.4. skip it if it has no registrable domain;
        let label = publicSuffixes?.registrableDomain(of: host)?.split(separator: ".").first.map(String.init)
      else { continue }
      // 4.5. skip a new label after the maximum number of labels;
      guard labelsSeen.contains(label) || labelsSeen.count < Self.maximumLabelCount else { continue }
      // 4.6. return if it is the caller's origin;
      if listed == origin { return true }
      // 4.7. remember the label.
      labelsSeen.insert(label)
    }
    // 5. The caller's origin is not listed.
    return false
  }

  /// Returns whether the host always resolves to this machine (Secure Contexts §3.1).
  package static func isThisMachine(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost")
  }

  /// Returns the host of an AppID that is an `https` URL, or else nil.
  private static func host(ofAppID appID: String) -> String? {
    let scheme = "https://"
    guard appID.lowercased().hasPrefix(scheme) else { return nil }
    let authority = appID.dropFirst(scheme.count).prefix { (character) in !"/?#\\".contains(character) }
    guard let origin = try? WebOrigin(scheme + authority.lowercased()), case .web(_, let host, _) = origin.kind,
      (try? RelyingPartyID(host)) != nil
    else { return nil }
    return host
  }
}

extension WebOrigin {
  /// Returns the AppID of an extension input. The empty one is the caller's own FacetID (FIDO AppID and Facet
  /// Specification §3.1.2 step 2).
  func appID(of input: String) -> String {
    input.isEmpty ? text : input
  }
}

/// A source of related origins documents (WebAuthn §5.11.1, step 2).
public protocol RelatedOriginsSource: Sendable {
  /// Returns the document at `https://RP ID/.well-known/webauthn`. It is fetched without cookies.
  ///
  /// - Throws: `client.related-origins-unavailable` unless the status is 200 and the media type `application/json`, or
  ///   the code of a failed transfer.
  func document(of relyingParty: RelyingPartyID) async throws(ClientError) -> RelatedOrigins
}

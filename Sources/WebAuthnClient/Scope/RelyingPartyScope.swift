// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

// W3C Web Authentication Level 3, §5.1.3 steps 6 to 8, which are §5.1.4.1 steps 5 to 7; §5.11.1.

/// May this origin use this RP ID?
public struct RelyingPartyScope: Sendable {
  private let origin: Origin
  private let publicSuffixes: PublicSuffixList?
  private let relatedOrigins: (any RelatedOriginsSource)?

  /// How many registrable origin labels count: what every client must support, and what browsers do [§5.11].
  static let maximumLabelCount = RelatedOrigins.maximumLabelCount

  /// The scope of an origin. Without a list of public suffixes an origin can use its own domain and nothing above it;
  /// without a source of related origins there are none.
  public init(
    of origin: Origin, publicSuffixes: PublicSuffixList? = .system, relatedOrigins: (any RelatedOriginsSource)? = nil
  ) {
    self.origin = origin
    self.publicSuffixes = publicSuffixes
    self.relatedOrigins = relatedOrigins
  }

  /// The RP ID that a ceremony is for: the one that was asked for, where the origin may use it, or else its own domain.
  public func relyingPartyID(requested: RelyingPartyID?) async throws(ClientError) -> RelyingPartyID {
    let domain = try effectiveDomain()
    // Where nothing is asked for, it is the effective domain.
    guard let requested else { return domain }
    // It is the domain, or one above it that can be registered;
    if isRegistrableSuffixOrEqual(requested.text, to: domain.text) { return requested }
    // or its owner says that the origin is related.
    guard let relatedOrigins else {
      throw ClientError(.originNotAllowed, "\(origin) is not at or below \(requested)")
    }
    guard isNamed(in: try await document(of: requested, from: relatedOrigins)) else {
      throw ClientError(.originNotAllowed, "\(origin) is not at or below \(requested), nor one of its related origins")
    }
    return requested
  }

  /// §5.11.1, step 2: whatever it is that keeps the document away, the origin may not use the RP ID.
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

  /// Whether the origin may use this AppID from the days of U2F. The FIDO algorithm would fetch a list of facets; as in
  /// browsers, it is enough to be on the same site (§10.1.1).
  public func allows(appID: String) -> Bool {
    guard let host = Self.host(ofAppID: appID), let domain = try? effectiveDomain() else { return false }
    if host == domain.text { return true }
    guard let site = publicSuffixes?.registrableDomain(of: domain.text) else { return false }
    return publicSuffixes?.registrableDomain(of: host) == site
  }

  /// Fails where the origin may not use this AppID.
  func requireAllowed(appID: String) throws(ClientError) {
    guard allows(appID: appID) else { throw ClientError(.appIDNotAllowed, "\(origin) may not use the AppID \(appID)") }
  }

  /// The origin's host, where it is a domain.
  func effectiveDomain() throws(ClientError) -> RelyingPartyID {
    // An origin that is no web site's is opaque.
    guard case .web(let scheme, let host, _) = origin.kind else { throw ClientError(.originOpaque, "\(origin)") }
    // Addresses are no domains.
    let domain: RelyingPartyID
    do throws(FormatError) {
      domain = try RelyingPartyID(host)
    } catch {
      throw ClientError(.originHasNoDomain, "\(origin)")
    }
    // The API is there in secure contexts alone.
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

  /// §5.11.1, steps 3 to 5.
  private func isNamed(in document: RelatedOrigins) -> Bool {
    // 3. No label has been seen yet.
    var labelsSeen: Set<String> = []
    // 4. One origin after the other:
    for listed in document.origins {
      // 4.1, 4.2. what is no URL with a domain is passed over;
      guard case .web(_, let host, _) = listed.kind, (try? RelyingPartyID(host)) != nil,
        // 4.3, 4.4. so is what nobody registered;
        let label = publicSuffixes?.registrableDomain(of: host)?.split(separator: ".").first.map(String.init)
      else { continue }
      // 4.5. so is a further label, once there have been as many as count;
      guard labelsSeen.contains(label) || labelsSeen.count < Self.maximumLabelCount else { continue }
      // 4.6. the caller is found;
      if listed == origin { return true }
      // 4.7. the label is remembered.
      labelsSeen.insert(label)
    }
    // 5. The caller is not there.
    return false
  }

  /// Hosts that no other machine answers for (Secure Contexts §3.1).
  private static func isThisMachine(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost")
  }

  /// The host of an AppID that is an `https` URL.
  private static func host(ofAppID appID: String) -> String? {
    let scheme = "https://"
    guard appID.lowercased().hasPrefix(scheme) else { return nil }
    let authority = appID.dropFirst(scheme.count).prefix { (character) in !"/?#\\".contains(character) }
    guard let origin = try? Origin(scheme + authority.lowercased()), case .web(_, let host, _) = origin.kind,
      (try? RelyingPartyID(host)) != nil
    else { return nil }
    return host
  }
}

// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The certificates that are believed because somebody configured them, made ready for use.
///
/// An anchor may be a root, an authority below a root or a leaf: FIDO metadata lists all three. Make a store once and
/// keep it; a path from it then costs little more than the signatures on it. Nothing is taken from the system's store,
/// from the network or from the one who is to be judged.
public struct TrustStore: Sendable {
  /// The anchors, without duplicates, in the order in which they were given.
  public let anchors: [Certificate]

  private let leaves: Set<Certificate>
  private let issuers: [DistinguishedName: [Issuer]]

  /// Takes the anchors.
  public init(_ anchors: some Sequence<Certificate>) {
    var seen: Set<Certificate> = []
    self.anchors = anchors.filter { seen.insert($0).inserted }
    leaves = seen
    issuers = Dictionary(grouping: self.anchors.map(Issuer.init), by: \.certificate.subject)
  }

  /// Whether this very certificate is an anchor.
  public func contains(_ certificate: Certificate) -> Bool {
    leaves.contains(certificate)
  }

  /// Finds a path from `leaf` to an anchor, and checks every part of it (RFC 5280 §6).
  ///
  /// The `intermediates` are only candidates, in any order: that they come with the leaf gives them no weight.
  /// The `knownAuthorities` are candidates that the caller has; no leaf can hide them by leaving them out.
  /// The result can be made by this function alone, and names the anchor that it reached.
  ///
  /// - Throws: `certificate.revoked` where a list names a certificate that may be on the path, and
  ///   `certificate.issuer-omitted` where the missing issuer may be one; both outrank every other failure.
  public func validate(
    _ leaf: Certificate,
    through intermediates: [Certificate] = [],
    knownAuthorities: [Certificate] = [],
    at time: Timestamp,
    revocationLists: [RevocationList] = [],
    policy: CertificatePathPolicy = CertificatePathPolicy()
  ) throws(CryptoError) -> CertificatePath {
    var search = PathSearch(
      store: self, intermediates: intermediates, knownAuthorities: knownAuthorities, time: time,
      revocationLists: revocationLists, policy: policy)
    return try search.findPath(from: leaf)
  }

  func issuers(named name: DistinguishedName) -> [Issuer] {
    issuers[name] ?? []
  }
}

/// A certificate whose key is to be believed for what it signed.
struct Issuer: Sendable {
  let certificate: Certificate
  let key: IssuerKey

  init(_ certificate: Certificate) {
    self.certificate = certificate
    key = IssuerKey(of: certificate)
  }
}

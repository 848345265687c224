// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The configured trust anchors, prepared for path validation.
///
/// An anchor may be a root, an intermediate authority or a leaf; FIDO metadata lists all three. Create a store once and
/// keep it: a validation then costs little more than the signatures on the path. The system's trust store, the network
/// and the certificates under validation never add anchors.
package struct TrustStore: Sendable {
  /// The anchors, without duplicates, in the given order.
  package let anchors: [X509Certificate]

  private let leaves: Set<X509Certificate>
  private let issuers: [DistinguishedName: [Issuer]]

  /// Creates a store of these anchors.
  package init(_ anchors: some Sequence<X509Certificate>) {
    var seen: Set<X509Certificate> = []
    self.anchors = anchors.filter { seen.insert($0).inserted }
    leaves = seen
    issuers = Dictionary(grouping: self.anchors.map(Issuer.init), by: \.certificate.subject)
  }

  /// Whether this certificate is an anchor.
  package func contains(_ certificate: X509Certificate) -> Bool {
    leaves.contains(certificate)
  }

  /// Finds a path from `leaf` to an anchor and validates it (RFC 5280 §6).
  ///
  /// - Parameters:
  ///   - leaf: The certificate to validate.
  ///   - intermediates: Untrusted candidate issuers sent with the leaf, in any order.
  ///   - knownAuthorities: Untrusted candidate issuers of the caller, which the sender of the leaf cannot omit.
  ///   - time: The time of validation.
  ///   - revocationLists: Lists to check; see ``CertificatePathPolicy/revocation``.
  ///   - policy: The requirements on the path.
  /// - Returns: The validated path.
  /// - Throws: `certificate.revoked` if a list names a certificate that may be on the path,
  ///   `certificate.issuer-omitted` if the missing issuer may be one; both outrank other failures. Otherwise the
  ///   `certificate.…` code of the first failure.
  package func validate(
    _ leaf: X509Certificate,
    through intermediates: [X509Certificate] = [],
    knownAuthorities: [X509Certificate] = [],
    at time: UnixTime,
    revocationLists: [RevocationList] = [],
    policy: CertificatePathPolicy = CertificatePathPolicy()
  ) throws(PasskeyCryptoError) -> X509Certificate.Path {
    var search = PathSearch(
      store: self, intermediates: intermediates, knownAuthorities: knownAuthorities, time: time,
      revocationLists: revocationLists, policy: policy)
    return try search.findPath(from: leaf)
  }

  func issuers(named name: DistinguishedName) -> [Issuer] {
    issuers[name] ?? []
  }
}

/// A certificate whose key is trusted to verify signatures.
struct Issuer: Sendable {
  let certificate: X509Certificate
  let key: IssuerKey

  init(_ certificate: X509Certificate) {
    self.certificate = certificate
    key = IssuerKey(of: certificate)
  }
}

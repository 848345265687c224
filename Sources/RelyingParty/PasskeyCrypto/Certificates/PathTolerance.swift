// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A deviation from the strict ``CertificatePathPolicy`` that a validation tolerated.
package enum PathTolerance: String, Hashable, CaseIterable, Sendable {
  /// The leaf is not valid yet (RFC 5280 §6.1.3 (a) (2)).
  case leafNotYetValid = "leaf-not-yet-valid"
  /// The leaf has expired.
  case leafExpired = "leaf-expired"
  /// An authority above the leaf has expired, possibly the anchor.
  case authorityExpired = "authority-expired"
  /// The leaf's issuer is not marked as a certificate authority (RFC 5280 §6.1.4 (k) and (n)).
  case issuerNotAuthority = "issuer-not-an-authority"
}

extension PathTolerance: CustomStringConvertible {
  /// The deviation as a clause, for a log line.
  package var description: String {
    switch self {
    case .leafNotYetValid: "the leaf is not valid yet"
    case .leafExpired: "the leaf has expired"
    case .authorityExpired: "an authority has expired"
    case .issuerNotAuthority: "the leaf's issuer is not a certificate authority"
    }
  }
}

extension X509Certificate.Path {
  /// The deviations that the validation tolerated, in the order of ``PathTolerance``; empty for a path that meets the
  /// strict policy.
  package var tolerances: [PathTolerance] {
    PathTolerance.allCases.filter { (tolerance) in
      switch tolerance {
      case .leafNotYetValid: time < leaf.notBefore
      case .leafExpired: leaf.notAfter < time
      case .authorityExpired: certificates.dropFirst().contains { $0.notAfter < time }
      case .issuerNotAuthority: certificates.dropFirst().dropLast().first.map { !$0.mayIssue } ?? false
      }
    }
  }
}

extension X509Certificate {
  /// Whether the certificate is one of an authority that may sign certificates (RFC 5280 §6.1.4 (k) and (n)).
  fileprivate var mayIssue: Bool {
    isCertificateAuthority && keyUsage?.contains(.certificateSigning) ?? true
  }
}

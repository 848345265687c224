// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

/// The validation of `android-key` certificate paths that end at one of Google's roots.
///
/// WebAuthn §8.4 requires no more than a path. Genuine devices have chains that fail RFC 5280 §6.1: the device writes
/// the dates of the leaf by its own clock, and the certificates of a device that was provisioned in the factory cannot
/// be replaced when they expire. Some of the oldest ones are not marked as those of an authority.
///
/// An anchor counts as one of Google's roots if it has the name of one of them: Google reissues a root under its
/// old name.
package enum AndroidKeyPath: String, Sendable {
  /// Tolerates what Google's own verifier tolerates, in these paths only. ``AttestationOutcome/tolerances`` lists the
  /// deviations of a path.
  ///
  /// - The leaf may be expired or not valid yet.
  /// - On a path that was provisioned in the factory, the authorities may have expired, and the leaf's issuer need not
  ///   be marked as an authority.
  case asGoogleVerifies = "as-google-verifies"

  /// Validates these paths like all others (RFC 5280 §6.1). This refuses genuine devices.
  case requiringValidDatesAndMarkedAuthorities = "requiring-valid-dates-and-marked-authorities"
}

// The facts are those of https://github.com/android/keyattestation, revision 47f970d (2026-07-21):
// KeyAttestationCertPathValidator.verifyValidity for the dates, KeyAttestationCertPath.isFactoryProvisioned for the
// origin of a chain, getStep for its length. That verifier does not check basic constraints and key usage at all.
// Here only the issuer of the leaf may lack them.

extension AndroidKeyPath {
  private static let leafDates: Set<PathTolerance> = [.leafNotYetValid, .leafExpired]

  /// The names of the roots that Google has published.
  private static let rootNames = Set(PublishedRoot.roots(of: .google).map(\.certificate.subject))

  /// Finds a path to one of Google's roots among the anchors; nil if no path exists even with every tolerance.
  ///
  /// The tolerance for leaves is tried alone first, because every path has it.
  /// - Throws: `certificate.revoked` or `certificate.issuer-omitted`, which outrank a path.
  static func find(
    among anchors: TrustStore,
    _ validate: (TrustStore, Set<PathTolerance>) throws(PasskeyCryptoError) -> X509Certificate.Path
  ) throws(PasskeyCryptoError) -> X509Certificate.Path? {
    let roots = anchors.anchors.filter { rootNames.contains($0.subject) }
    guard !roots.isEmpty else { return nil }
    for tolerated in [leafDates, Set(PathTolerance.allCases)] {
      do throws(PasskeyCryptoError) {
        let path = try validate(TrustStore(roots), tolerated)
        if tolerated == leafDates || path.isFactoryProvisioned { return path }
      } catch  where error.outranksPaths {
        throw error
      } catch {
        continue
      }
    }
    return nil
  }
}

extension X509Certificate.Path {
  /// Whether the path has the form of a chain that was provisioned in the factory: leaf, batch, intermediate authority
  /// and root, the intermediate authority's name with a serial number, and a key description in the leaf only. A key
  /// of the key store, which has a description, may not certify others.
  fileprivate var isFactoryProvisioned: Bool {
    certificates.count == 4 && !certificates[2].subject.values(of: .serialNumber).isEmpty
      && certificates.dropFirst().allSatisfy { $0.extension(.androidKeyDescription) == nil }
  }
}

extension PasskeyCryptoError {
  /// Whether the error states a revocation, which outranks every path.
  var outranksPaths: Bool { code == .certificateRevoked || code == .certificateIssuerOmitted }
}

extension DERObjectIdentifier {
  /// id-at-serialNumber
  fileprivate static let serialNumber: Self = [2, 5, 4, 5]
}

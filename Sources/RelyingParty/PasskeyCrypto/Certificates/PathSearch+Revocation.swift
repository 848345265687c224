// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension PathSearch {
  /// Checks revocation by RFC 5280 §6.3.3, with complete lists signed by the certificate's own issuer.
  ///
  /// One valid list is enough. A certificate on an expired list counts as revoked.
  func checkRevocation(of certificate: X509Certificate, by issuer: Issuer) throws(PasskeyCryptoError) {
    let lists = revocationLists.filter { $0.issuer == certificate.issuer }
    var failure = PasskeyCryptoError(.certificateRevocationUnknown, "no revocation list of \(certificate.issuer)")
    var isStatusKnown = false
    for list in lists {
      do throws(PasskeyCryptoError) {
        try check(certificate, on: list, of: issuer)
        isStatusKnown = true
      } catch  where error.code == .certificateRevoked {
        throw error
      } catch {
        failure = error
      }
    }
    guard isStatusKnown || (lists.isEmpty && policy.revocation == .ifListed) else { throw failure }
  }

  private func check(
    _ certificate: X509Certificate, on list: RevocationList, of issuer: Issuer
  ) throws(PasskeyCryptoError) {
    guard issuer.certificate.keyUsage?.contains(.revocationListSigning) ?? true else {
      throw PasskeyCryptoError(.certificateKeyUsage, "\(issuer.certificate.subject) may not sign revocation lists")
    }
    do throws(PasskeyCryptoError) {
      try issuer.key.verify(list.signature, sha1Signatures: policy.sha1Signatures)
    } catch {
      throw PasskeyCryptoError(.certificateRevocationListInvalidSignature, "\(error)")
    }
    if let revocation = list.revocation(of: certificate.serialNumber) {
      throw PasskeyCryptoError(.certificateRevoked, "\(certificate.subject), at \(revocation.date)")
    }
    // A list newer than the validation time is acceptable, so only its expiry is checked.
    if let nextUpdate = list.nextUpdate, nextUpdate < time, policy.expiredRevocationLists == .refused {
      throw PasskeyCryptoError(.certificateRevocationListExpired, "until \(nextUpdate), at \(time)")
    }
  }
}

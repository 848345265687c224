// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension PathSearch {
  /// Checks revocation by RFC 5280 §6.3.3, with complete lists signed by the certificate's own issuer.
  ///
  /// One valid list is enough. A certificate on an expired list counts as revoked.
  func checkRevocation(of certificate: Certificate, by issuer: Issuer) throws(CryptoError) {
    let lists = revocationLists.filter { $0.issuer == certificate.issuer }
    var failure = CryptoError(.certificateRevocationUnknown, "no revocation list of \(certificate.issuer)")
    var isStatusKnown = false
    for list in lists {
      do throws(CryptoError) {
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
    _ certificate: Certificate, on list: RevocationList, of issuer: Issuer
  ) throws(CryptoError) {
    guard issuer.certificate.keyUsage?.contains(.revocationListSigning) ?? true else {
      throw CryptoError(.certificateKeyUsage, "\(issuer.certificate.subject) may not sign revocation lists")
    }
    do throws(CryptoError) {
      try issuer.key.verify(list.signature, sha1Signatures: policy.sha1Signatures)
    } catch {
      throw CryptoError(.certificateRevocationListInvalidSignature, "\(error)")
    }
    if let revocation = list.revocation(of: certificate.serialNumber) {
      throw CryptoError(.certificateRevoked, "\(certificate.subject), at \(revocation.date)")
    }
    // A list newer than the validation time is acceptable, so only its expiry is checked.
    if let nextUpdate = list.nextUpdate, nextUpdate < time, policy.expiredRevocationLists == .refused {
      throw CryptoError(.certificateRevocationListExpired, "until \(nextUpdate), at \(time)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension PathSearch {
  /// RFC 5280 §6.3.3, for complete lists signed by the certificate's own issuer.
  ///
  /// One list that can be relied on is enough. That a certificate is on a list counts even where the list has run out.
  func checkRevocation(of certificate: Certificate, by issuer: Issuer) throws(CryptoError) {
    let lists = revocationLists.filter { $0.issuer == certificate.issuer }
    var failure = CryptoError(.certificateRevocationUnknown, "no list of \(certificate.issuer)")
    var isAnswered = false
    for list in lists {
      do throws(CryptoError) {
        try check(certificate, on: list, of: issuer)
        isAnswered = true
      } catch  where error.code == .certificateRevoked {
        throw error
      } catch {
        failure = error
      }
    }
    guard isAnswered || (lists.isEmpty && policy.revocation == .whereListed) else { throw failure }
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
    // A list made after the moment in question knows more than it must, so only its end matters.
    if let nextUpdate = list.nextUpdate, nextUpdate < time, policy.expiredRevocationLists == .refused {
      throw CryptoError(.certificateRevocationListExpired, "until \(nextUpdate), at \(time)")
    }
  }
}

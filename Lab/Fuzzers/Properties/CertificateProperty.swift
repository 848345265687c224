// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

func checkCertificate(_ input: Bytes) throws(Violation) {
  if let certificate = try? X509Certificate(der: input) {
    try require(certificate.der == input, "the stored encoding differs from the input")
    try require((1...3).contains(certificate.version), "an invalid version")
    _ = certificate.description
    _ = (certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier, certificate.keyUsage)
    try checkKey(certificate.subjectPublicKeyInfo)
    try checkPaths(certificate)
  }
  if let list = try? RevocationList(der: input) {
    try require(list.der == input, "the stored encoding differs from the input")
    try require(list.revocation(of: input) == nil, "the list revokes an arbitrary serial number")
  }
}

/// Checks that an accepted key is written back unchanged and has only one encoding.
private func checkKey(_ info: SubjectPublicKeyInfo) throws(Violation) {
  let algorithms: [COSEAlgorithm] = [.es256, .es384, .es512, .es256k, .eddsa, .ed448, .rs256]
  let keys = algorithms.compactMap { try? COSEKey(subjectPublicKeyInfo: info.encoded, algorithm: $0) }
  try require(keys.count <= 1, "a key of two types")
  if let key = keys.first {
    try require((try? key.subjectPublicKeyInfo) == Array(info.encoded), "a key differs from its re-encoding")
  }
}

/// Checks that an anchor is accepted only in its validity period, and nothing without an anchor.
private func checkPaths(_ certificate: X509Certificate) throws(Violation) {
  let nobody = TrustStore([])
  let unanchored = try? nobody.validate(certificate, through: [certificate], at: certificate.notBefore)
  try require(unanchored == nil, "accepted without an anchor")
  let store = TrustStore([certificate])
  let path = try? store.validate(certificate, at: certificate.notBefore)
  try require(path == nil || path?.anchor == certificate, "another anchor")
  let before = UnixTime(secondsSince1970: certificate.notBefore.secondsSince1970 - 1)
  try require((try? store.validate(certificate, at: before)) == nil, "accepted before its validity period")
}

// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE

/// A hash function of libcrypto, fetched once per process. A lookup by name takes locks that halve the throughput of a
/// second thread.
@safe struct MessageDigest: @unchecked Sendable {  // An EVP_MD is read-only once fetched.
  private let pointer: OpaquePointer

  /// Returns the hash function, or throws if the running library lacks it.
  static func kept(_ hash: COSEHash) throws(PasskeyCryptoError) -> MessageDigest {
    let kept =
      switch hash {
      case .sha1: sha1
      case .sha256: sha256
      case .sha384: sha384
      case .sha512: sha512
      }
    guard let kept else { throw PasskeyCryptoError(.unsupportedAlgorithm, hash.rawValue) }
    return kept
  }

  /// Returns libcrypto's name of a hash function.
  static func name(_ hash: COSEHash) -> String {
    switch hash {
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    case .sha384: "SHA384"
    case .sha512: "SHA512"
    }
  }

  @safe func withPointer<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(pointer)
  }

  private static let sha1 = fetch(.sha1)
  private static let sha256 = fetch(.sha256)
  private static let sha384 = fetch(.sha384)
  private static let sha512 = fetch(.sha512)

  private static func fetch(_ hash: COSEHash) -> MessageDigest? {
    LibCrypto.start()
    guard let pointer = unsafe EVP_MD_fetch(nil, name(hash), nil) else {
      LibCrypto.clearErrors()
      return nil
    }
    return unsafe MessageDigest(pointer: pointer)
  }
}

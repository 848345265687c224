// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import COpenSSL

/// One of libcrypto's hash functions, fetched once for the life of the process: a look-up by name takes locks, which
/// cost a second thread half of what it could add.
@safe struct MessageDigest: @unchecked Sendable {  // An EVP_MD is read-only once fetched.
  private let pointer: OpaquePointer

  /// The hash function, where the running library has it.
  static func kept(_ hash: COSEHash) throws(CryptoError) -> MessageDigest {
    let kept =
      switch hash {
      case .sha1: sha1
      case .sha256: sha256
      case .sha384: sha384
      case .sha512: sha512
      }
    guard let kept else { throw CryptoError(.unsupportedAlgorithm, hash.rawValue) }
    return kept
  }

  /// The name by which libcrypto knows a hash function.
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
    guard let pointer = unsafe EVP_MD_fetch(nil, name(hash), nil) else {
      LibCrypto.clearErrors()
      return nil
    }
    return unsafe MessageDigest(pointer: pointer)
  }
}

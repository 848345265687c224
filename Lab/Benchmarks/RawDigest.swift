// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL

/// SHA-256 with a fetched algorithm and a reused context.
@safe final class RawDigest {
  struct Refused: Error {}

  private let function: OpaquePointer
  private let context: OpaquePointer
  private var output = [UInt8](repeating: 0, count: 32)

  init() throws {
    guard let function = unsafe EVP_MD_fetch(nil, "SHA256", nil), let context = unsafe EVP_MD_CTX_new() else {
      throw Refused()
    }
    unsafe self.function = function
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
    unsafe EVP_MD_free(function)
  }

  func hash(_ message: [UInt8]) throws {
    guard unsafe EVP_DigestInit_ex2(context, function, nil) == 1,
      unsafe EVP_DigestUpdate(context, message, message.count) == 1,
      unsafe EVP_DigestFinal_ex(context, &output, nil) == 1
    else { throw Refused() }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CPasskeyOpenSSL
import PasskeyFormats

/// Results of libcrypto's X.509 code, to compare with ours.
enum OpenSSLOracle {
  /// Returns whether libcrypto finds a path from the first certificate to an anchor, or its error number.
  static func verify(
    _ leaf: Bytes, through intermediates: [Bytes], to anchors: [Bytes], at time: UnixTime
  ) -> CInt {
    let store = unsafe X509_STORE_new()
    defer { unsafe X509_STORE_free(store) }
    for anchor in anchors {
      let certificate = unsafe read(anchor)
      unsafe X509_STORE_add_cert(store, certificate)
      unsafe X509_free(certificate)
    }
    let stack = unsafe OPENSSL_sk_new_null()
    let others = unsafe intermediates.map { unsafe read($0) }
    unsafe others.forEach { unsafe OPENSSL_sk_push(stack, UnsafeRawPointer($0)) }
    let subject = unsafe read(leaf)
    let context = unsafe X509_STORE_CTX_new()
    defer {
      unsafe X509_STORE_CTX_free(context)
      unsafe OPENSSL_sk_free(stack)
      unsafe others.forEach { unsafe X509_free($0) }
      unsafe X509_free(subject)
    }
    guard unsafe X509_STORE_CTX_init(context, store, subject, stack) == 1 else { return -1 }
    let parameters = unsafe X509_STORE_CTX_get0_param(context)
    unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(time.secondsSince1970))
    let verdict = unsafe X509_verify_cert(context)
    return verdict == 1 ? X509_V_OK : unsafe X509_STORE_CTX_get_error(context)
  }

  /// The fields of a certificate as libcrypto parses them.
  struct Fields: Equatable {
    let version: Int
    let serialNumber: [UInt8]
    let subject: [UInt8]
    let issuer: [UInt8]
    let notBefore: UnixTime
    let notAfter: UnixTime
    let subjectPublicKeyInfo: [UInt8]
    let extensionCount: Int
  }

  static func fields(of der: Bytes) -> Fields? {
    guard let certificate = unsafe read(der) else { return nil }
    defer { unsafe X509_free(certificate) }
    guard let notBefore = unsafe moment(X509_get0_notBefore(certificate)),
      let notAfter = unsafe moment(X509_get0_notAfter(certificate))
    else { return nil }
    // The content of an INTEGER with a short length follows its first two octets.
    let serialNumber = unsafe encoding { unsafe i2d_ASN1_INTEGER(X509_get0_serialNumber(certificate), $0) }
    return Fields(
      version: unsafe X509_get_version(certificate) + 1, serialNumber: Array(serialNumber.dropFirst(2)),
      subject: unsafe encoding { unsafe i2d_X509_NAME(X509_get_subject_name(certificate), $0) },
      issuer: unsafe encoding { unsafe i2d_X509_NAME(X509_get_issuer_name(certificate), $0) },
      notBefore: notBefore, notAfter: notAfter,
      subjectPublicKeyInfo: unsafe encoding { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) },
      extensionCount: Int(unsafe X509_get_ext_count(certificate)))
  }

  private static func read(_ der: Bytes) -> OpaquePointer? {
    unsafe der.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return unsafe d2i_X509(nil, &position, buffer.count)
    }
  }

  private static func encoding(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt) -> [UInt8] {
    let count = max(0, Int(write(nil)))
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      var position = buffer.baseAddress
      written = unsafe Int(write(&position))
    }
  }

  private static func moment(_ time: UnsafePointer<ASN1_TIME>?) -> UnixTime? {
    let epoch = unsafe ASN1_TIME_set(nil, 0)
    defer { unsafe ASN1_STRING_free(epoch) }
    var days: CInt = 0
    var seconds: CInt = 0
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return UnixTime(secondsSince1970: Int64(days) * 86_400 + Int64(seconds))
  }
}

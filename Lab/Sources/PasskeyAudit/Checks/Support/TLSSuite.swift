// SPDX-License-Identifier: Apache-2.0

/// A cipher suite of TLS 1.2 and earlier, by its number and name in the registry of the IANA.
struct TLSSuite: Hashable, Sendable {
  let number: UInt16
  let name: String

  init(_ number: UInt16, _ name: String) {
    self.number = number
    self.name = "TLS_\(name)"
  }

  /// Suites without encryption, without authentication of the server, or with keys of 40 bits.
  static let unprotected = [
    TLSSuite(0x0001, "RSA_WITH_NULL_MD5"), TLSSuite(0x0002, "RSA_WITH_NULL_SHA"),
    TLSSuite(0x003b, "RSA_WITH_NULL_SHA256"), TLSSuite(0xc001, "ECDH_ECDSA_WITH_NULL_SHA"),
    TLSSuite(0xc006, "ECDHE_ECDSA_WITH_NULL_SHA"), TLSSuite(0xc00b, "ECDH_RSA_WITH_NULL_SHA"),
    TLSSuite(0xc010, "ECDHE_RSA_WITH_NULL_SHA"), TLSSuite(0x0018, "DH_anon_WITH_RC4_128_MD5"),
    TLSSuite(0x001b, "DH_anon_WITH_3DES_EDE_CBC_SHA"), TLSSuite(0x0034, "DH_anon_WITH_AES_128_CBC_SHA"),
    TLSSuite(0x003a, "DH_anon_WITH_AES_256_CBC_SHA"), TLSSuite(0x006c, "DH_anon_WITH_AES_128_CBC_SHA256"),
    TLSSuite(0x006d, "DH_anon_WITH_AES_256_CBC_SHA256"), TLSSuite(0x00a6, "DH_anon_WITH_AES_128_GCM_SHA256"),
    TLSSuite(0x00a7, "DH_anon_WITH_AES_256_GCM_SHA384"), TLSSuite(0xc015, "ECDH_anon_WITH_NULL_SHA"),
    TLSSuite(0xc016, "ECDH_anon_WITH_RC4_128_SHA"), TLSSuite(0xc017, "ECDH_anon_WITH_3DES_EDE_CBC_SHA"),
    TLSSuite(0xc018, "ECDH_anon_WITH_AES_128_CBC_SHA"), TLSSuite(0xc019, "ECDH_anon_WITH_AES_256_CBC_SHA"),
    TLSSuite(0x0003, "RSA_EXPORT_WITH_RC4_40_MD5"), TLSSuite(0x0006, "RSA_EXPORT_WITH_RC2_CBC_40_MD5"),
    TLSSuite(0x0008, "RSA_EXPORT_WITH_DES40_CBC_SHA"), TLSSuite(0x0014, "DHE_RSA_EXPORT_WITH_DES40_CBC_SHA"),
    TLSSuite(0x0017, "DH_anon_EXPORT_WITH_RC4_40_MD5"), TLSSuite(0x0019, "DH_anon_EXPORT_WITH_DES40_CBC_SHA"),
  ]

  /// Suites with RC4, or with ciphers with blocks of 64 bits: DES, triple DES and IDEA.
  static let weak = [
    TLSSuite(0x0004, "RSA_WITH_RC4_128_MD5"), TLSSuite(0x0005, "RSA_WITH_RC4_128_SHA"),
    TLSSuite(0xc007, "ECDHE_ECDSA_WITH_RC4_128_SHA"), TLSSuite(0xc011, "ECDHE_RSA_WITH_RC4_128_SHA"),
    TLSSuite(0x0009, "RSA_WITH_DES_CBC_SHA"), TLSSuite(0x0015, "DHE_RSA_WITH_DES_CBC_SHA"),
    TLSSuite(0x0007, "RSA_WITH_IDEA_CBC_SHA"), TLSSuite(0x000a, "RSA_WITH_3DES_EDE_CBC_SHA"),
    TLSSuite(0x0016, "DHE_RSA_WITH_3DES_EDE_CBC_SHA"), TLSSuite(0xc008, "ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA"),
    TLSSuite(0xc012, "ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"),
  ]

  /// Suites whose sessions the server's key decrypts, also later: RSA key transport, and ECDH with a fixed key.
  static let withoutForwardSecrecy = [
    TLSSuite(0x009c, "RSA_WITH_AES_128_GCM_SHA256"), TLSSuite(0x009d, "RSA_WITH_AES_256_GCM_SHA384"),
    TLSSuite(0x002f, "RSA_WITH_AES_128_CBC_SHA"), TLSSuite(0x0035, "RSA_WITH_AES_256_CBC_SHA"),
    TLSSuite(0x003c, "RSA_WITH_AES_128_CBC_SHA256"), TLSSuite(0x003d, "RSA_WITH_AES_256_CBC_SHA256"),
    TLSSuite(0xc09c, "RSA_WITH_AES_128_CCM"), TLSSuite(0xc09d, "RSA_WITH_AES_256_CCM"),
    TLSSuite(0x0041, "RSA_WITH_CAMELLIA_128_CBC_SHA"), TLSSuite(0x0084, "RSA_WITH_CAMELLIA_256_CBC_SHA"),
    TLSSuite(0xc004, "ECDH_ECDSA_WITH_AES_128_CBC_SHA"), TLSSuite(0xc005, "ECDH_ECDSA_WITH_AES_256_CBC_SHA"),
    TLSSuite(0xc00e, "ECDH_RSA_WITH_AES_128_CBC_SHA"), TLSSuite(0xc00f, "ECDH_RSA_WITH_AES_256_CBC_SHA"),
  ]

  /// Suites of TLS 1.2 that are recommended (RFC 9325 §4.2), and that all current servers with this version accept.
  static let recommended = [
    TLSSuite(0xc02b, "ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"), TLSSuite(0xc02f, "ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
    TLSSuite(0xc02c, "ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"), TLSSuite(0xc030, "ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
    TLSSuite(0xcca9, "ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"),
    TLSSuite(0xcca8, "ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"), TLSSuite(0x009e, "DHE_RSA_WITH_AES_128_GCM_SHA256"),
  ]

  /// Suites that exist in TLS 1.0 and 1.1.
  static let old =
    [
      TLSSuite(0xc009, "ECDHE_ECDSA_WITH_AES_128_CBC_SHA"), TLSSuite(0xc00a, "ECDHE_ECDSA_WITH_AES_256_CBC_SHA"),
      TLSSuite(0xc013, "ECDHE_RSA_WITH_AES_128_CBC_SHA"), TLSSuite(0xc014, "ECDHE_RSA_WITH_AES_256_CBC_SHA"),
      TLSSuite(0x0033, "DHE_RSA_WITH_AES_128_CBC_SHA"), TLSSuite(0x0039, "DHE_RSA_WITH_AES_256_CBC_SHA"),
      TLSSuite(0x002f, "RSA_WITH_AES_128_CBC_SHA"), TLSSuite(0x0035, "RSA_WITH_AES_256_CBC_SHA"),
    ] + weak
}

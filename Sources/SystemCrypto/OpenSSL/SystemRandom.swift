// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// libcrypto's random generators, seeded by the system.
enum SystemRandom {
  static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try [UInt8](count: count) { (start) throws(CryptoError) in
      try LibCrypto.require(unsafe RAND_bytes_ex(nil, start, count, 0), .randomnessUnavailable)
    }
  }

  static func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: count) { (start) throws(CryptoError) in
      try LibCrypto.require(unsafe RAND_priv_bytes_ex(nil, start, count, 0), .randomnessUnavailable)
    }
  }
}

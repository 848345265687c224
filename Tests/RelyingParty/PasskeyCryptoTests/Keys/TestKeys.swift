// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto

/// One key for each algorithm, created once, because generating RSA keys is slow.
enum TestKeys {
  static func key(_ algorithm: COSEAlgorithm) throws -> SigningKey {
    if let key = made[algorithm] { return key }
    throw PasskeyCryptoError(.unsupportedAlgorithm, "\(algorithm)")
  }

  private static let made: [COSEAlgorithm: SigningKey] = {
    var keys: [COSEAlgorithm: SigningKey] = [:]
    for algorithm in supportedAlgorithms {
      keys[algorithm] = try? SigningKey.generate(
        algorithm, random: .seeded(Array("PasskeyCryptoTests".utf8), label: algorithm.description))
    }
    return keys
  }()
}

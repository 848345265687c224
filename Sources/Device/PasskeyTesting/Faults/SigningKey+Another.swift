// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyCrypto

extension SigningKey {
  /// Returns a key that is unrelated to the ceremony.
  package static func another(_ algorithm: COSEAlgorithm) throws(PasskeyCryptoError) -> SigningKey {
    try generate(algorithm, random: .seeded([UInt8]("passkey vectors".utf8), label: "another key"))
  }
}

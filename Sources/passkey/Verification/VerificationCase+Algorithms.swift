// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WireFormats

extension VerificationCase {
  /// An algorithm that the case needs and this project knows, where the libcrypto that runs has it not: ML-DSA, before
  /// OpenSSL 3.5. Nothing can be said about such a case.
  var unavailableAlgorithm: COSEAlgorithm? {
    needed.first { $0.definition != nil && !supportedAlgorithms.contains($0) }
  }

  private var needed: [COSEAlgorithm] {
    switch ceremony {
    case .registration: algorithms ?? []
    case .authentication: credential.flatMap { try? COSEKey(parsing: $0.publicKey[...]).algorithm }.map { [$0] } ?? []
    }
  }
}

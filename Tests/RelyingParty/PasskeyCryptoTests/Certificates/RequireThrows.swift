// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing

/// Checks that `body` throws a ``CryptoError`` with this code and, if given, this text in its detail.
func expect(
  _ code: CryptoError.Code, _ detail: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> some Any
) {
  let error = #expect(throws: CryptoError.self, sourceLocation: sourceLocation) { _ = try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  if let detail {
    #expect(error?.detail?.contains(detail) == true, "\(error?.detail ?? "")", sourceLocation: sourceLocation)
  }
}

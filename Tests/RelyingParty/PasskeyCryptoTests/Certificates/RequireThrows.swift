// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing

/// Checks that `body` throws a ``PasskeyCryptoError`` with this code and, if given, this text in its detail.
func expect(
  _ code: PasskeyCryptoError.Code, _ detail: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> some Any
) {
  let error = #expect(throws: PasskeyCryptoError.self, sourceLocation: sourceLocation) { _ = try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  if let detail {
    #expect(error?.detail?.contains(detail) == true, "\(error?.detail ?? "")", sourceLocation: sourceLocation)
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import Testing

/// Expects `body` to fail with this code.
func expectCode(
  _ code: StorageError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
  let error = await #expect(throws: StorageError.self, sourceLocation: sourceLocation) { try await body() }
  #expect(error?.code == code, "\(error.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
}

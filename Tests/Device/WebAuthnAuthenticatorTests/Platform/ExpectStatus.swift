// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Testing
import WebAuthnTypes

/// Expects `body` to fail with a status, regardless of the detail text.
@discardableResult
func expect(
  _ status: CTAPStatus, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Any
) -> CTAPError? {
  do {
    _ = try body()
    Issue.record("success in place of \(status). \(comment ?? "")", sourceLocation: sourceLocation)
    return nil
  } catch {
    #expect((error as? CTAPError)?.status == status, comment, sourceLocation: sourceLocation)
    return error as? CTAPError
  }
}

/// Expects an asynchronous `body` to fail with a status.
@discardableResult
func expect(
  _ status: CTAPStatus, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Any
) async -> CTAPError? {
  do {
    _ = try await body()
    Issue.record("success in place of \(status). \(comment ?? "")", sourceLocation: sourceLocation)
    return nil
  } catch {
    #expect((error as? CTAPError)?.status == status, comment, sourceLocation: sourceLocation)
    return error as? CTAPError
  }
}

// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import WebAuthnTypes

/// A device whose replies the test defines.
final class FakeAuthenticator: Authenticator {
  typealias Answer = @Sendable (CTAPCommand, [UInt8]) async throws(CTAPError) -> [UInt8]

  private let answer: Answer
  let cancellations = Locked(0)

  init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    try await answer(command, parameters)
  }

  func cancel() async {
    cancellations.withLock { (count) in count += 1 }
  }
}

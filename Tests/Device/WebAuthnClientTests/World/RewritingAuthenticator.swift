// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import WebAuthnTypes

/// A device wrapper that modifies replies, like an attacker between device and client.
final class RewritingAuthenticator: Authenticator {
  typealias Rewrite = @Sendable (CTAPCommand, [UInt8]) throws(CTAPError) -> [UInt8]

  private let device: any Authenticator
  private let rewrite: Rewrite

  /// The received commands, in order.
  let asked = Locked<[(command: CTAPCommand, parameters: [UInt8])]>([])
  let cancellations = Locked(0)

  init(_ device: any Authenticator, _ rewrite: @escaping Rewrite = { (_, reply) in reply }) {
    self.device = device
    self.rewrite = rewrite
  }

  func count(of command: CTAPCommand) -> Int {
    asked.withLock { (asked) in asked.count { (asked) in asked.command == command } }
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    asked.withLock { (asked) in asked.append((command, parameters)) }
    return try rewrite(command, try await device.perform(command, parameters))
  }

  func cancel() async {
    cancellations.withLock { (count) in count += 1 }
    await device.cancel()
  }
}

// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
internal import WebAuthnTypes

/// The persistent storage of a device.
///
/// Each method is a transaction: concurrent changes are not lost, and a change is durable when ``update(_:)`` returns.
public protocol Vault: Sendable {
  /// Returns the state as last written by any process.
  func read() throws(CTAPError) -> DeviceState

  /// Changes the state. If `change` or the write throws, the state is unchanged.
  func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer
}

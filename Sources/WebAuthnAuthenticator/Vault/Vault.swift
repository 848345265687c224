// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
internal import WebAuthnTypes

/// Where a device keeps what it must not forget.
///
/// Each method is a whole transaction: nobody else's change is lost, and what was returned from ``update(_:)`` is kept
/// for good.
public protocol Vault: Sendable {
  /// The state as it was last written, by whichever process wrote it.
  func read() throws(CTAPError) -> DeviceState

  /// Changes the state: all that `change` does is kept, or, where it throws or the writing fails, nothing.
  func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer
}

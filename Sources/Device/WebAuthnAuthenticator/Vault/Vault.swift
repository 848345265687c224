// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
internal import PasskeyCrypto
internal import PasskeySystem
internal import WebAuthnTypes

/// The persistent storage of a device.
///
/// Each method is a transaction: concurrent changes are not lost, and a change is durable when ``update(_:)`` returns.
public protocol Vault: Sendable {
  /// Returns the state as last written by any process.
  ///
  /// - Throws: `OTHER` if it cannot be read.
  func read() throws(CTAPError) -> DeviceState

  /// Changes the state. If `change` or the write throws, the state is unchanged.
  ///
  /// - Throws: The error of `change`, or `OTHER` if the state cannot be read or written.
  func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer
}

/// A vault in memory, for tests. Threads may share it.
public final class MemoryVault: Vault {
  private let state: Locked<DeviceState>

  /// Creates a vault with this state.
  public init(_ state: DeviceState) {
    self.state = Locked(state)
  }

  /// Returns the state.
  ///
  /// - Throws: Nothing; the protocol allows a ``/CTAPTypes/CTAPError``.
  public func read() throws(CTAPError) -> DeviceState {
    state.withLock { (state) in state }
  }

  /// Changes the state. Restores it if `change` throws.
  ///
  /// - Throws: The error of `change`.
  public func update<Answer>(
    _ change: (inout DeviceState) throws(CTAPError) -> Answer
  ) throws(CTAPError) -> Answer {
    try state.withLock { (state) throws(CTAPError) in
      let before = state
      do throws(CTAPError) {
        return try change(&state)
      } catch {
        state = before
        throw error
      }
    }
  }
}

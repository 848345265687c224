// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
internal import SystemCrypto
internal import SystemIO
internal import WebAuthnTypes

/// A vault that is gone with its process: for tests.
public final class MemoryVault: Vault {
  private let state: Locked<DeviceState>

  /// A vault that holds this state to begin with.
  public init(_ state: DeviceState) {
    self.state = Locked(state)
  }

  /// The state.
  public func read() throws(CTAPError) -> DeviceState {
    state.withLock { (state) in state }
  }

  /// Changes the state, or, where `change` throws, leaves it as it was.
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

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// A store that is gone with the process: for tests, and to try something out.
public actor MemoryStorage {
  /// Starts with nothing stored.
  public init() {}
}

// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// Whether passkeys may be copied to other devices.
public enum BackupBehavior: Hashable, Sendable {
  /// Passkeys are device-bound: BE and BS are clear.
  case deviceBound
  /// Passkeys may be copied: BE is set, and BS is `isBackedUp`.
  case movable(isBackedUp: Bool)
}

extension BackupBehavior {
  var isEligible: Bool { self != .deviceBound }

  var isBackedUp: Bool { self == .movable(isBackedUp: true) }
}

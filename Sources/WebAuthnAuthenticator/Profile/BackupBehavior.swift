// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// Whether passkeys may be copied to other devices.
public enum BackupBehavior: Hashable, Sendable {
  /// They stay: BE and BS are clear.
  case deviceBound
  /// They may move: BE is set, and BS as said.
  case movable(isBackedUp: Bool)
}

extension BackupBehavior {
  var isEligible: Bool { self != .deviceBound }

  var isBackedUp: Bool { self == .movable(isBackedUp: true) }
}

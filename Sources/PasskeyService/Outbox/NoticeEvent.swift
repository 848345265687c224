// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The kind of event that a notice reports, named `area.event`. The set is open: servers that embed the service add their
/// own.
public struct NoticeEvent: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates an event kind from its name, whether or not the service knows it.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }
}

// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// A means by which an authenticator protects its keys, by its name in metadata (FIDO Registry §3.2). An open set.
public struct KeyProtection: OpenString {
  /// The name.
  public let rawValue: String

  /// The means with this name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Software alone.
  public static let software = Self(rawValue: "software")
  /// Hardware of some kind. A model that names a kind names this one as well.
  public static let hardware = Self(rawValue: "hardware")
  /// A trusted execution environment.
  public static let trustedExecutionEnvironment = Self(rawValue: "tee")
  /// A secure element.
  public static let secureElement = Self(rawValue: "secure_element")
  /// The authenticator keeps no keys itself: the relying party gets them wrapped, as credential ids.
  public static let remoteHandle = Self(rawValue: "remote_handle")
}

// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// A key protection method of an authenticator, by its name in metadata (FIDO Registry §3.2). An open set.
public struct KeyProtection: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates a method from its name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Software only.
  public static let software = Self(rawValue: "software")
  /// Hardware of any kind. A model with a specific kind lists this one too.
  public static let hardware = Self(rawValue: "hardware")
  /// A trusted execution environment.
  public static let trustedExecutionEnvironment = Self(rawValue: "tee")
  /// A secure element.
  public static let secureElement = Self(rawValue: "secure_element")
  /// The authenticator stores no keys: the credential IDs contain them, wrapped.
  public static let remoteHandle = Self(rawValue: "remote_handle")
}

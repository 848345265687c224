// SPDX-License-Identifier: Apache-2.0

/// An attestation statement format identifier (WebAuthn §8.1). An open set.
public struct AttestationFormat: RawRepresentable, Hashable, Sendable {
  /// The identifier, compared byte for byte.
  public let rawValue: String

  /// The format with this identifier, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// §8.7
  public static let none = Self(rawValue: "none")
  /// §8.2
  public static let packed = Self(rawValue: "packed")
  /// §8.3
  public static let tpm = Self(rawValue: "tpm")
  /// §8.4
  public static let androidKey = Self(rawValue: "android-key")
  /// §8.5
  public static let androidSafetyNet = Self(rawValue: "android-safetynet")
  /// §8.8
  public static let apple = Self(rawValue: "apple")
  /// §8.6
  public static let fidoU2F = Self(rawValue: "fido-u2f")
  /// §8.9
  public static let compound = Self(rawValue: "compound")
}

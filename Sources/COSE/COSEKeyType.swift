// SPDX-License-Identifier: Apache-2.0

/// A type of key, from the IANA registry "COSE Key Types". An open set.
public struct COSEKeyType: RawRepresentable, Hashable, Sendable {
  /// The registered number.
  public let rawValue: Int64

  /// The key type with this number, known or not.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Octet key pair: the Edwards curves.
  public static let okp = Self(rawValue: 1)
  /// Elliptic curve with two coordinates.
  public static let ec2 = Self(rawValue: 2)
  /// RSA.
  public static let rsa = Self(rawValue: 3)
  /// Algorithm key pair: ML-DSA (RFC 9964).
  public static let akp = Self(rawValue: 7)
}

extension COSEKeyType: CustomStringConvertible {
  /// The registered name, or the number of a key type that this project does not know.
  public var description: String {
    switch self {
    case .okp: "OKP"
    case .ec2: "EC2"
    case .rsa: "RSA"
    case .akp: "AKP"
    default: "\(rawValue)"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The labels of a COSE_Key's parameters (RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4, RFC 9964).
///
/// Below zero the meaning of a label depends on the type of key.
public enum COSEKeyLabel {
  /// `kty`
  public static let keyType: Int64 = 1
  /// `alg`
  public static let algorithm: Int64 = 3

  /// `crv` of EC2 and OKP
  public static let curve: Int64 = -1
  /// `x` of EC2 and OKP
  public static let x: Int64 = -2
  /// `y` of EC2
  public static let y: Int64 = -3
  /// `d` of EC2 and OKP: a private key
  public static let d: Int64 = -4

  /// `n` of RSA
  public static let rsaModulus: Int64 = -1
  /// `e` of RSA
  public static let rsaExponent: Int64 = -2
  /// `d` of RSA: a private key
  public static let rsaPrivateExponent: Int64 = -3

  /// `pub` of AKP
  public static let akpPublicKey: Int64 = -1
  /// `priv` of AKP: a private key
  public static let akpPrivateKey: Int64 = -2
}

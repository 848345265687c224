// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

extension COSEKey {
  /// Demands that `signature` was made over `message` with the private key that belongs to this key.
  ///
  /// This is the way for a key that comes out of a store for one sign-in and goes again: nothing is built that would have
  /// to be kept. For many signatures by one key make a ``VerifyingKey``.
  public func verify(_ signature: Bytes, over message: Bytes) throws(CryptoError) {
    try verify(signature, over: message, followedBy: [])
  }

  /// The same for a message in two parts, such as authenticator data and the hash of client data (WebAuthn §7.2 step 21):
  /// most algorithms need not have them in one array.
  public func verify(_ signature: Bytes, over message: Bytes, followedBy rest: Bytes) throws(CryptoError) {
    if case .ec2(let curve, let x, let y) = material, let curve = EllipticCurve(curve),
      case .ecdsa(let hash)? = algorithm.definition?.scheme
    {
      try ThreadWorkspace.current.verify(signature, over: message, rest, hash, with: (curve, x, y))
    } else {
      let scheme = try algorithm.supportedDefinition.scheme
      try Verifier(.publicKey(material), scheme).verify(signature, over: rest.isEmpty ? message : message + rest)
    }
  }

  /// Demands that the key's point lies on its curve, where the key is a point of a curve for ECDSA.
  ///
  /// Reading a key cannot tell, and a key that nobody can sign with is better refused when it comes than when it is used.
  public func requirePointOnCurve() throws(CryptoError) {
    guard case .ec2(let curve, let x, let y) = material, let curve = EllipticCurve(curve) else { return }
    try ThreadWorkspace.current.check((curve, x, y))
  }
}

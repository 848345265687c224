// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

extension COSEKey {
  /// Demands that `signature` was made over `message` with the private key that belongs to this key.
  ///
  /// This is the way for a key that comes out of a store for one sign-in and goes again: nothing is built that would have
  /// to be kept. For many signatures by one key make a ``VerifyingKey``.
  public func verify(_ signature: Bytes, over message: Bytes) throws(CryptoError) {
    if case .ec2(let curve, let x, let y) = material, let curve = EllipticCurve(curve),
      case .ecdsa(let hash)? = algorithm.definition?.scheme
    {
      try ThreadWorkspace.current.verify(signature, over: message, hash, with: (curve, x, y))
    } else {
      let scheme = try algorithm.supportedDefinition.scheme
      try Verifier(.publicKey(material), scheme).verify(signature, over: message)
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

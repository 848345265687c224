// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyMLDSA

/// The input is a selector, a public key if the selector's highest bit is set, a signature and a message.
///
/// Under the property's own key, only the deterministic signature of the message may verify. Under any key, no changed
/// signature may.
func checkMLDSA(_ input: Bytes) throws(Violation) {
  var reader = ByteReader(input)
  guard let selector = try? reader.readByte() else { return }
  let signer = MLDSASigner.all[Int(selector & 0x7f) % MLDSASigner.all.count]
  let hasKey = selector & 0x80 != 0
  let encoding = hasKey ? try? reader.read(signer.parameters.publicKeyByteCount) : signer.key.publicKey[...]
  guard let encoding, let key = try? PublicKey(signer.parameters, encoding.span) else { return }
  let signature = (try? reader.read(signer.parameters.signatureByteCount)) ?? []
  let message = reader.readRest()
  guard try key.accepts(signature, over: message) else { return }
  if !hasKey { try require(signature.elementsEqual(signer.sign(message)), "a forged signature verifies") }
  var changed = Array(signature)
  changed[Int(selector) * 131 % changed.count] ^= 0x01
  try require(!key.accepts(changed[...], over: message), "a changed signature verifies")
}

/// A private key of one parameter set.
private struct MLDSASigner: Sendable {
  let parameters: ParameterSet
  let key: PrivateKey

  static let all = [ParameterSet.mlDSA44, .mlDSA65, .mlDSA87].compactMap { (parameters) in
    let seed = [UInt8](0..<32)
    return (try? PrivateKey(parameters, seed: seed.span)).map { (key) in MLDSASigner(parameters: parameters, key: key) }
  }

  /// Signs without randomness.
  func sign(_ message: Bytes) throws(Violation) -> [UInt8] {
    let context: [UInt8] = []
    let randomness = [UInt8](repeating: 0, count: ParameterSet.randomnessByteCount)
    do throws(MLDSAError) {
      return try key.sign(message.span, context: context.span, randomness: randomness.span)
    } catch {
      throw Violation(description: "signing failed: \(error)")
    }
  }
}

extension PublicKey {
  /// Whether a signature verifies. An invalid signature must be the only reason for a refusal.
  fileprivate func accepts(_ signature: Bytes, over message: Bytes) throws(Violation) -> Bool {
    let context: [UInt8] = []
    do throws(MLDSAError) {
      try verify(signature.span, over: message.span, context: context.span)
      return true
    } catch .invalidSignature {
      return false
    } catch {
      throw Violation(description: "refused with \(error)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

@testable import PasskeyMLDSA

// The module takes spans; tests have arrays.

extension PublicKey {
  init(_ parameters: ParameterSet, _ bytes: [UInt8]) throws(MLDSAError) {
    try self.init(parameters, bytes.span)
  }

  func verify(_ signature: [UInt8], over message: [UInt8], context: [UInt8] = []) throws(MLDSAError) {
    try verify(signature.span, over: message.span, context: context.span)
  }

  /// The error of a verification; `nil` if the signature is valid.
  func refusal(of signature: [UInt8], over message: [UInt8], context: [UInt8] = []) -> MLDSAError? {
    do throws(MLDSAError) {
      try verify(signature, over: message, context: context)
      return nil
    } catch {
      return error
    }
  }
}

extension ParameterSet {
  func sigDecode(_ signature: [UInt8]) -> Signature? { sigDecode(signature.span) }

  func hintBitUnpack(_ hint: [UInt8]) -> [Polynomial]? { hintBitUnpack(hint.span) }
}

extension PrivateKey {
  convenience init(_ parameters: ParameterSet, seed: [UInt8]) throws(MLDSAError) {
    try self.init(parameters, seed: seed.span)
  }

  convenience init(_ parameters: ParameterSet, expanded: [UInt8]) throws(MLDSAError) {
    try self.init(parameters, expanded: expanded.span)
  }

  /// Signs without randomness by default.
  func sign(
    _ message: [UInt8], context: [UInt8] = [], randomness: [UInt8] = [UInt8](repeating: 0, count: 32)
  ) throws(MLDSAError) -> [UInt8] {
    try sign(message.span, context: context.span, randomness: randomness.span)
  }

  /// A copy of the expanded key.
  var expanded: [UInt8] { withExpandedKey { (key) in key.bytes(0..<key.count) } }
}

extension ParameterSet {
  /// A parameter set with the name of FIPS 204, for test arguments.
  struct Named: Sendable, CustomStringConvertible {
    let description: String
    let parameters: ParameterSet
  }

  static let all = [
    Named(description: "ML-DSA-44", parameters: .mlDSA44), Named(description: "ML-DSA-65", parameters: .mlDSA65),
    Named(description: "ML-DSA-87", parameters: .mlDSA87),
  ]
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport

/// A builder for JSON Web Signatures.
struct TokenForm {
  var algorithm = "ES256"
  var header = ""
  var payload: [UInt8]
  var key: SigningKey
  var certificates: [[UInt8]]

  init(payload: String, key: SigningKey, certificates: [[UInt8]]) {
    self.payload = Array(payload.utf8)
    self.key = key
    self.certificates = certificates
  }

  /// The token in compact form.
  func text() throws -> String {
    let names = certificates.map { "\"\(Base64.encode($0))\"" }.joined(separator: ",")
    let header = Base64URL.encode(Array("{\"alg\":\"\(algorithm)\",\"x5c\":[\(names)]\(header)}".utf8))
    let signed = "\(header).\(Base64URL.encode(payload))"
    return "\(signed).\(Base64URL.encode(try signature(over: Array(signed.utf8))))"
  }

  private func signature(over message: [UInt8]) throws -> [UInt8] {
    let signature = try key.sign(message[...])
    guard case .ec2(let curve, _, _) = key.publicKey.material, let byteCount = curve.byteCount else { return signature }
    let numbers = try ECDSASignature(der: signature[...])
    return [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: byteCount - $0.count) + $0 }
  }
}

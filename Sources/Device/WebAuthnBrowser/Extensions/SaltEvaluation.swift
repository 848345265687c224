// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// One or two salts for an authenticator's hmac-secret extension.
struct SaltEvaluation: Sendable {
  private let salts: SecretBytes

  static let byteCount = 32

  /// Hashes the `prf` inputs with a context string (WebAuthn §10.1.4), so that pages cannot evaluate salts of the
  /// platform.
  init(_ values: PRFValues) {
    let context = [UInt8]("WebAuthn PRF".utf8) + [0]
    let first = Digest.sha256(context + values.first)
    let second = values.second.map { (second) in Digest.sha256(context + second) } ?? []
    salts = SecretBytes(first + second)
  }

  /// Uses the salts of `hmacGetSecret` unchanged (CTAP 2.3 §12.7).
  init(_ salts: HMACSecretSalts) {
    self.salts = SecretBytes(salts.salt1 + (salts.salt2 ?? []))
  }

  /// Returns the salts encrypted for the authenticator.
  func input(with secret: PlatformSecret) throws(ClientError) -> HMACSecretInput {
    let encrypted = try secret.encrypt(salts)
    return HMACSecretInput(
      keyAgreement: secret.publicKey, encryptedSalts: encrypted,
      saltAuthentication: secret.authenticate(encrypted), pinUVAuthProtocol: secret.version.rawValue)
  }

  /// Decrypts the outputs. Throws if there are not as many outputs as salts.
  func outputs(in encrypted: [UInt8], with secret: PlatformSecret) throws(ClientError) -> PRFValues {
    let outputs = try secret.decrypt(encrypted)
    guard outputs.count == salts.count else {
      throw ClientError(.authenticatorAnswerInvalid, "\(outputs.count) bytes for \(salts.count) bytes of salts")
    }
    return outputs.withBytes { (outputs) in
      let second = outputs.dropFirst(Self.byteCount)
      return PRFValues(first: [UInt8](outputs.prefix(Self.byteCount)), second: second.isEmpty ? nil : [UInt8](second))
    }
  }
}

extension HMACSecretOutputs {
  init(_ values: PRFValues) throws(ClientError) {
    self = try mapError(Self(output1: values.first, output2: values.second), ClientError.init(answer:))
  }
}

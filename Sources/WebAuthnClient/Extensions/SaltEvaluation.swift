// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// One salt or two for an authenticator's hmac-secret.
struct SaltEvaluation: Sendable {
  private let salts: SecretBytes

  static let byteCount = 32

  /// `prf` hashes what it is given behind a name (WebAuthn §10.1.4), so that no page can evaluate what the system does.
  init(_ values: PRFValues) {
    let context = [UInt8]("WebAuthn PRF".utf8) + [0]
    let first = Digest.sha256((context + values.first)[...])
    let second = values.second.map { (second) in Digest.sha256((context + second)[...]) } ?? []
    salts = SecretBytes((first + second)[...])
  }

  /// `hmacGetSecret` takes them as they are (CTAP 2.3 §12.7).
  init(_ salts: HMACSecretSalts) {
    self.salts = SecretBytes((salts.salt1 + (salts.salt2 ?? []))[...])
  }

  /// The salts as they travel.
  func input(with secret: PlatformSecret) throws(ClientError) -> HMACSecretInput {
    let encrypted = try secret.encrypt(salts)[...]
    return HMACSecretInput(
      keyAgreement: secret.publicKey, encryptedSalts: encrypted,
      saltAuthentication: secret.authenticate(encrypted)[...], pinUVAuthProtocol: secret.version.rawValue)
  }

  /// What came back for them: as many outputs as there were salts.
  func outputs(in encrypted: [UInt8], with secret: PlatformSecret) throws(ClientError) -> PRFValues {
    let outputs = try secret.decrypt(encrypted[...])
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
    do throws(FormatError) {
      try self.init(output1: values.first, output2: values.second)
    } catch {
      throw ClientError(answer: error)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnTypes

@testable import WebAuthnAuthenticator

// makeCredential and getAssertion from a platform.
extension TestPlatform {
  static let clientDataHash = Digest.sha256([UInt8]("client data".utf8)[...])[...]

  /// Creates a credential, with a token if given.
  @discardableResult
  func make(
    _ request: MakeCredentialRequest = .sample(), _ token: SecretBytes? = nil
  ) async throws
    -> MakeCredentialReply
  {
    var request = request
    if let token {
      request.pinUVAuthParameter = version.authenticate([UInt8](request.clientDataHash), token)[...]
      request.pinUVAuthProtocol = version.rawValue
    }
    return try MakeCredentialReply(parsing: await authenticator.perform(.makeCredential, request.encoded))
  }

  /// Requests an assertion, with a token if given.
  @discardableResult
  func get(_ request: GetAssertionRequest = .sample(), _ token: SecretBytes? = nil) async throws -> GetAssertionReply {
    var request = request
    if let token {
      request.pinUVAuthParameter = version.authenticate([UInt8](request.clientDataHash), token)[...]
      request.pinUVAuthProtocol = version.rawValue
    }
    return try GetAssertionReply(parsing: await authenticator.perform(.getAssertion, request.encoded))
  }

  /// Requests the next assertion.
  @discardableResult
  func getNext() async throws -> GetAssertionReply {
    try GetAssertionReply(parsing: await authenticator.perform(.getNextAssertion, []))
  }

  /// Requests the device's information.
  func info() async throws -> AuthenticatorInfo {
    try AuthenticatorInfo(parsing: await authenticator.perform(.getInfo, []))
  }
}

extension MakeCredentialRequest {
  /// Returns a request that every device accepts.
  static func sample(
    user: String = "ada", for relyingPartyID: String = "raxx.app", _ algorithms: [COSEAlgorithm] = [.es256],
    isDiscoverable: Bool? = nil
  ) -> Self {
    var request = MakeCredentialRequest(
      clientDataHash: TestPlatform.clientDataHash, relyingPartyID: relyingPartyID, relyingPartyName: "Raxx",
      user: .sample(user), parameters: algorithms.map { (algorithm) in CredentialParameters(algorithm: algorithm) })
    request.options.residentKey = isDiscoverable
    return request
  }

  /// Returns a modified copy.
  func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
    var request = self
    try change(&request)
    return request
  }
}

extension GetAssertionRequest {
  /// Returns a request for any credential, or for one of a list.
  static func sample(_ ids: Bytes?..., for relyingPartyID: String = "raxx.app") -> Self {
    let list = ids.compactMap { (id) in id.flatMap { (id) in try? CredentialID(id) } }
    return GetAssertionRequest(
      relyingPartyID: relyingPartyID, clientDataHash: TestPlatform.clientDataHash,
      allowList: list.isEmpty ? nil : list.map { (id) in CredentialDescriptor(id: id) })
  }

  /// Returns a modified copy.
  func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
    var request = self
    try change(&request)
    return request
  }
}

extension PasskeyUser {
  static func sample(_ name: String) -> Self {
    guard let id = try? UserHandle([UInt8](name.utf8)) else { preconditionFailure("no user handle") }
    return PasskeyUser(id: id, name: "\(name)@raxx.app", displayName: name)
  }
}

extension MakeCredentialReply {
  /// The ID of the new credential.
  var credentialID: Bytes { authenticatorData.attestedCredentialData?.credentialID ?? [] }

  /// The public key of the new credential.
  var publicKey: COSEKey {
    get throws {
      guard let credential = authenticatorData.attestedCredentialData else {
        throw CTAPError(.missingParameter, "no credential")
      }
      return try COSEKey(parsing: credential.credentialPublicKey, rules: .canonical)
    }
  }

  /// Returns an extension's output.
  func output(_ name: String) -> CBORTree? { authenticatorData.output(name) }
}

extension GetAssertionReply {
  /// Verifies the assertion's signature.
  func verify(by key: COSEKey, over clientDataHash: Bytes = TestPlatform.clientDataHash) throws {
    try key.verify(signature, over: authenticatorData.encoded + clientDataHash)
  }

  /// Returns an extension's output.
  func output(_ name: String) -> CBORTree? { authenticatorData.output(name) }
}

extension AuthenticatorData {
  fileprivate func output(_ name: String) -> CBORTree? {
    extensions?[.text(name)].map { (value) in CBORTree(value) }
  }
}

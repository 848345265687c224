// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// Lists of credentials that are longer than an authenticator takes, and which of them it has: asked without a touch
/// (`up` false, CTAP 2.3 §6.2.1), a part of the list at a time.
struct CredentialSearch: Sendable {
  let authenticator: ConnectedAuthenticator
  let authorization: Authorization

  /// In place of the hash of client data: a signature over it is good for nothing.
  static let worthlessHash = [UInt8](repeating: 0, count: 32)[...]

  /// What a message holds besides the list [hash, names, extensions with encrypted salts, and heads].
  private static let reservedByteCount = 640
  /// What a descriptor takes besides the id.
  private static let descriptorByteCount = 32

  /// The list in parts that the authenticator takes. An id that is longer than any of its own is none of its own.
  func batches(of list: [CredentialDescriptor]) -> [[CredentialDescriptor]] {
    let info = authenticator.info
    let longest = info.maximumCredentialIDByteCount.flatMap { Int(exactly: $0) } ?? CredentialID.maximumByteCount
    let most = max(1, info.maximumCredentialCountInList.flatMap { Int(exactly: $0) } ?? Int.max)
    let room = max(0, info.messageByteCount - Self.reservedByteCount)
    var batches: [[CredentialDescriptor]] = []
    var batch: [CredentialDescriptor] = []
    var used = 0
    for descriptor in list where descriptor.type == .publicKey && descriptor.id.bytes.count <= longest {
      let size = descriptor.id.bytes.count + Self.descriptorByteCount
      if !batch.isEmpty, batch.count >= most || used + size > room {
        batches.append(batch)
        (batch, used) = ([], 0)
      }
      batch.append(descriptor)
      used += size
    }
    return batch.isEmpty ? batches : batches + [batch]
  }

  /// The first of the credentials that the authenticator has and admits to have.
  func first(of list: [CredentialDescriptor], scope: String) async throws(ClientError) -> CredentialDescriptor? {
    for batch in batches(of: list) {
      if let found = try await first(ofBatch: batch, scope: scope) { return found }
    }
    return nil
  }

  private func first(
    ofBatch batch: [CredentialDescriptor], scope: String
  ) async throws(ClientError) -> CredentialDescriptor? {
    let hash = Self.worthlessHash
    var request = GetAssertionRequest(relyingPartyID: scope, clientDataHash: hash, allowList: batch)
    request.options.userPresence = false
    if let parameters = authorization.parameters(for: hash) {
      (request.pinUVAuthParameter, request.pinUVAuthProtocol) = (parameters.tag, parameters.version)
    }
    let reply: Bytes
    do throws(CTAPError) {
      reply = try await authenticator.perform(.getAssertion, request.encoded)
    } catch {
      guard error.status == .noCredentials else { throw ClientError(error) }
      return nil
    }
    guard let credential = try authenticator.assertion(reply).credential else {
      guard batch.count == 1 else { throw ClientError(.authenticatorAnswerInvalid, "no credential of several") }
      return batch.first
    }
    guard let found = batch.first(where: { (descriptor) in descriptor.id == credential.id }) else {
      throw ClientError(.authenticatorAnswerInvalid, "a credential that was not in the list")
    }
    return found
  }
}

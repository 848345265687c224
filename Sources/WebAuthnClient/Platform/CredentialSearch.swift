// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

/// Lists of credentials that are longer than an authenticator takes, and which of them it has: asked without a touch
/// (`up` false, CTAP 2.3 §6.2.1), a part of the list at a time.
struct CredentialSearch: Sendable {
  let authenticator: ConnectedAuthenticator
  let authorization: Authorization
  /// The RP ID, or an AppID from the days of U2F.
  let scope: String

  /// In place of the hash of client data: a signature over it is good for nothing.
  static let worthlessHash = [UInt8](repeating: 0, count: 32)[...]

  /// What a message has besides its parameters and a list: the command, and the list's key and head.
  private static let headByteCount = 5

  /// Those of a list that can be the authenticator's: an id that is longer than any of its own is none of its own.
  func candidates(of list: [CredentialDescriptor]) -> [CredentialDescriptor] {
    let longest = authenticator.info.maximumCredentialIDByteCount.flatMap { Int(exactly: $0) }
    return list.filter { (descriptor) in
      descriptor.type == .publicKey && descriptor.id.bytes.count <= longest ?? CredentialID.maximumByteCount
    }
  }

  /// Whether the authenticator takes all of a list in a request whose parameters have so many bytes without it. A single
  /// credential is sent, and the authenticator says what it thinks of it.
  func fits(_ list: [CredentialDescriptor], besides byteCount: Int) -> Bool {
    batches(of: list, besides: byteCount).count <= 1
  }

  /// The list in parts that the authenticator takes. One that does not say how many at a time takes one at a time.
  func batches(of list: [CredentialDescriptor], besides byteCount: Int) -> [[CredentialDescriptor]] {
    let info = authenticator.info
    let most = max(1, info.maximumCredentialCountInList.map { Int(clamping: $0) } ?? 1)
    let room = info.messageByteCount - byteCount - Self.headByteCount
    var batches: [[CredentialDescriptor]] = []
    var batch: [CredentialDescriptor] = []
    var used = 0
    for descriptor in list {
      let size = CBORWriter.bytes(of: descriptor.tree).count
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
  func first(of list: [CredentialDescriptor]) async throws(ClientError) -> CredentialDescriptor? {
    if let found = try await first(of: list, verifyingUser: false) { return found }
    // Some it admits to verified users alone (CTAP 2.3 §12.1). A token has shown that; without one the user is asked again.
    let protects = authenticator.info.extensions.contains(ExtensionName.credProtect)
    guard authorization.isByCommand, protects else { return nil }
    return try await first(of: list, verifyingUser: true)
  }

  private func first(
    of list: [CredentialDescriptor], verifyingUser: Bool
  ) async throws(ClientError) -> CredentialDescriptor? {
    let byteCount = request([], verifyingUser).encoded.count
    for batch in batches(of: candidates(of: list), besides: byteCount) {
      if let found = try await first(ofBatch: batch, verifyingUser) { return found }
    }
    return nil
  }

  private func first(
    ofBatch batch: [CredentialDescriptor], _ verifyingUser: Bool
  ) async throws(ClientError) -> CredentialDescriptor? {
    let reply: Bytes
    do throws(CTAPError) {
      reply = try await authenticator.perform(.getAssertion, request(batch, verifyingUser).encoded)
    } catch {
      if error.saysThatThereIsNone { return nil }
      guard error.isAboutSize, batch.count > 1 else { throw ClientError(error) }
      let (front, back) = (batch.prefix(batch.count / 2), batch.dropFirst(batch.count / 2))
      if let found = try await first(ofBatch: Array(front), verifyingUser) { return found }
      return try await first(ofBatch: Array(back), verifyingUser)
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

  private func request(_ batch: [CredentialDescriptor], _ verifyingUser: Bool) -> GetAssertionRequest {
    var request = GetAssertionRequest(relyingPartyID: scope, clientDataHash: Self.worthlessHash, allowList: batch)
    request.show(authorization)
    request.options.userPresence = false
    request.options.userVerification = verifyingUser ? true : nil
    return request
  }
}

extension CTAPError {
  /// Whether none of the credentials that were named is the authenticator's. Some of the first ones with CTAP2 say instead
  /// that they are invalid.
  var saysThatThereIsNone: Bool { status == .noCredentials || status == .invalidCredential }

  /// Whether a shorter list would do.
  var isAboutSize: Bool { status == .requestTooLarge || status == .limitExceeded }
}

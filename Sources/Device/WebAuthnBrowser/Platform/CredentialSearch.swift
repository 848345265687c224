// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

/// Finds the credentials in a list that an authenticator has. It asks without user presence (`up` false, CTAP 2.3
/// §6.2.1) and splits lists that exceed the authenticator's limits.
struct CredentialSearch: Sendable {
  let authenticator: ConnectedAuthenticator
  let authorization: Authorization
  /// The RP ID, or a legacy U2F AppID.
  let scope: String

  /// Replaces the hash of the client data. A signature over it is worthless.
  static let placeholderHash = [UInt8](repeating: 0, count: 32)

  /// The size of a message apart from its parameters and the list entries: the command, and the list's key and header.
  private static let headByteCount = 5

  /// Returns the credentials that the authenticator may have: those whose ID is not longer than its maximum.
  func candidates(of list: [CredentialDescriptor]) -> [CredentialDescriptor] {
    let longest = authenticator.info.maximumCredentialIDByteCount.flatMap { Int(exactly: $0) }
    return list.filter { (descriptor) in
      descriptor.type == .publicKey && descriptor.id.bytes.count <= longest ?? CredentialID.maximumByteCount
    }
  }

  /// Returns whether the authenticator accepts the whole list in one request. `byteCount` is the size of the parameters
  /// without the list. A list of one credential always counts as fitting; the authenticator rejects it if it is too
  /// large.
  func fits(_ list: [CredentialDescriptor], besides byteCount: Int) -> Bool {
    batches(of: list, besides: byteCount).count <= 1
  }

  /// Splits a list into batches that the authenticator accepts. If it reports no maximum, each batch has one
  /// credential.
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

  /// Returns the first credential in the list that the authenticator reports to have.
  func first(of list: [CredentialDescriptor]) async throws(ClientError) -> CredentialDescriptor? {
    if let found = try await first(of: list, verifyingUser: false) { return found }
    // The authenticator reports some credentials to verified users only (CTAP 2.3 §12.1). A token already proves
    // verification; without one the user is verified again.
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
    let reply: [UInt8]
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
      guard batch.count == 1 else {
        throw ClientError(.authenticatorAnswerInvalid, "a response that does not name one of the credentials")
      }
      return batch.first
    }
    guard let found = batch.first(where: { (descriptor) in descriptor.id == credential.id }) else {
      throw ClientError(.authenticatorAnswerInvalid, "a credential that is not in the list")
    }
    return found
  }

  private func request(_ batch: [CredentialDescriptor], _ verifyingUser: Bool) -> GetAssertionRequest {
    var request = GetAssertionRequest(relyingPartyID: scope, clientDataHash: Self.placeholderHash, allowList: batch)
    request.add(authorization)
    request.options.userPresence = false
    request.options.userVerification = verifyingUser ? true : nil
    return request
  }
}

extension CTAPError {
  /// Whether the authenticator has none of the listed credentials. Some early CTAP2 authenticators report an invalid
  /// credential instead.
  var saysThatThereIsNone: Bool { status == .noCredentials || status == .invalidCredential }

  /// Whether a shorter list may succeed.
  var isAboutSize: Bool { status == .requestTooLarge || status == .limitExceeded }
}

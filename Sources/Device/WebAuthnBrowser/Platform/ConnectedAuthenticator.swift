// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnTypes

/// An authenticator with its capabilities, as used in one ceremony.
struct ConnectedAuthenticator: Sendable {
  let info: AuthenticatorInfo
  let random: RandomSource
  let compression: any BlobCompression
  private let authenticator: any Authenticator

  /// Reads the capabilities of the client's authenticator (CTAP 2.3 §6.4).
  init(of client: Client) async throws(ClientError) {
    authenticator = client.authenticator
    random = client.random
    compression = client.compression
    let reply = try await mapError(async: await authenticator.perform(.getInfo, [])) { (error: CTAPError) in
      ClientError(error)
    }
    info = try mapError(AuthenticatorInfo(parsing: reply), ClientError.init(answer:))
  }

  /// Sends a command whose status the caller handles. Throws if the ceremony was cancelled.
  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    guard !Task.isCancelled else { throw CTAPError(.keepaliveCancel) }
    return try await authenticator.perform(command, parameters)
  }

  /// Sends a command. Throws for any status other than success.
  func require(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(ClientError) -> [UInt8] {
    try await mapError(async: await perform(command, parameters)) { (error: CTAPError) in ClientError(error) }
  }

  /// Waits until the user touches the authenticator or refuses, or the time-out expires. The result is ignored on
  /// purpose.
  func awaitGesture(for scope: String) async {
    guard !info.asksForGesture else {
      _ = try? await perform(.selection, [])
      return
    }
    // Older authenticators ask for a touch before they report that they have no credential.
    guard let nothing = try? CredentialID([0]) else { return }
    let request = GetAssertionRequest(
      relyingPartyID: scope, clientDataHash: CredentialSearch.placeholderHash,
      allowList: [CredentialDescriptor(id: nothing)])
    _ = try? await perform(.getAssertion, request.encoded)
  }

  /// Parses a makeCredential response.
  func credential(_ reply: [UInt8]) throws(ClientError) -> MakeCredentialReply {
    try mapError(MakeCredentialReply(parsing: reply), ClientError.init(answer:))
  }

  /// Parses a getAssertion or getNextAssertion response.
  func assertion(_ reply: [UInt8]) throws(ClientError) -> GetAssertionReply {
    try mapError(GetAssertionReply(parsing: reply), ClientError.init(answer:))
  }
}

extension ClientError {
  /// Reads the value of `key` in a response that has no type of its own.
  static func member<Value>(
    _ key: CBORKey, of reply: [UInt8], _ read: (CBORValue) throws(WireError) -> Value
  ) throws(ClientError) -> Value {
    try mapError(read(CBORValue(parsing: reply, rules: .canonical).map.require(key)), ClientError.init(answer:))
  }
}

extension AuthenticatorData {
  /// Throws unless the RP ID hash matches `scope`, user presence is set and, if required, user verification is set.
  /// `answer` names the response in error messages.
  func requireAnswer(for scope: String, requiringVerification isRequired: Bool, _ answer: String) throws(ClientError) {
    guard relyingPartyIDHash.elementsEqual(Digest.sha256(scope.utf8)) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) for another RP ID")
    }
    guard flags.contains(.userPresent) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) without user presence (UP)")
    }
    guard !isRequired || flags.contains(.userVerified) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) without user verification (UV)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyFormats
internal import WebAuthnTypes

/// Collects every assertion that answers a request and, if there are several, lets the user choose one (CTAP 2.3 §6.2
/// and §6.3).
struct AssertionChoice: Sendable {
  let authenticator: ConnectedAuthenticator
  let interaction: any ClientInteraction
  let terms: RequestTerms
  let request: GetAssertionRequest

  // 1,000  [more than any user can choose from; a larger count would only keep the client busy]
  private static let maximumCount: UInt64 = 1000

  // 1 MiB  [1,000 assertions of about 1,000 bytes each; larger assertions must not exhaust memory]
  private static let maximumByteCount = 1 << 20

  /// An assertion, and the credential that signed it.
  struct Assertion: Sendable {
    let credential: CredentialID
    let reply: GetAssertionReply
  }

  /// Returns the assertion to use, given the authenticator's first reply.
  func choose(from reply: [UInt8]) async throws(ClientError) -> Assertion {
    let first = try checked(reply)
    // With an allow list, one credential signs. Before CTAP 2.1 several could; the client then uses the first.
    let count = request.allowList == nil ? first.reply.credentialCount ?? 1 : 1
    guard count > 1, first.reply.isSelectedByUser != true else { return first }
    guard count <= Self.maximumCount else {
      throw ClientError(.authenticatorAnswerInvalid, "\(count) credentials")
    }
    var assertions = [first]
    var byteCount = reply.count
    for _ in 1..<count {
      let next = try await authenticator.require(.getNextAssertion, [])
      byteCount += next.count
      guard byteCount <= Self.maximumByteCount else {
        throw ClientError(.authenticatorAnswerInvalid, "more than \(Self.maximumByteCount) bytes of assertions")
      }
      assertions.append(try checked(next))
    }
    return try await choose(among: assertions)
  }

  private func choose(among assertions: [Assertion]) async throws(ClientError) -> Assertion {
    let users = assertions.compactMap(\.reply.user)
    guard let index = await interaction.choose(among: users, for: terms.relyingParty) else {
      throw ClientError(.noneChosen)
    }
    guard !Task.isCancelled else { throw ClientError(.aborted) }
    guard assertions.indices.contains(index) else {
      throw ClientError(.noneChosen, "there is no assertion with index \(index)")
    }
    return assertions[index]
  }

  /// Validates an authenticator's assertion before the client uses it.
  private func checked(_ bytes: [UInt8]) throws(ClientError) -> Assertion {
    let reply = try authenticator.assertion(bytes)
    try reply.authenticatorData.requireAnswer(
      for: request.relyingPartyID, requiringVerification: terms.options.userVerification == .required, "an assertion")
    guard let allowList = request.allowList else {
      guard let credential = reply.credential, reply.user != nil else {
        throw ClientError(.authenticatorAnswerInvalid, "a discoverable credential without an id or a user")
      }
      return Assertion(credential: credential.id, reply: reply)
    }
    // The credential ID may be omitted when the allow list has exactly one entry.
    guard let id = reply.credential?.id ?? (allowList.count == 1 ? allowList.first?.id : nil),
      allowList.contains(where: { (descriptor) in descriptor.id == id })
    else { throw ClientError(.authenticatorAnswerInvalid, "a credential that is not in the list") }
    return Assertion(credential: id, reply: reply)
  }
}

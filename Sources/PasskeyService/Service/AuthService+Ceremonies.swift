// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// A ceremony that was taken: what it was to lead to, and what the store has under the response's credential id.
struct OpenCeremony {
  let bytes: Bytes
  let intent: CeremonyIntent
  let passkey: Passkey?
  let account: Account?

  /// What a refused response was made with: the passkey, where the store has it. Any other id is what a stranger chose to
  /// send, a thousand bytes of it, and the trail keeps what stands in it for ever: so its hash does.
  func subject(_ response: CredentialID) -> AuditSubject {
    passkey == nil
      ? .other(kind: "unknown-credential", name: "\(TokenDigest(of: response.bytes))") : .credential(response)
  }
}

extension AuthService {
  /// Keeps a ceremony that has begun.
  func keep(
    _ challenge: Challenge, of user: UserHandle?, until expiry: Timestamp, _ payload: CeremonyPayload,
    spending grant: GrantSpending? = nil, audit: [AuditDraft] = [], in context: RequestContext
  ) async throws(ServiceError) {
    let ceremony = PendingCeremony(
      id: CeremonyID(of: challenge.bytes), user: user, client: client(context), expiry: expiry,
      payload: payload.encoded)
    let outcome = try await ask { (storage) throws(StorageError) in
      try await storage.keep(ceremony, spending: grant, audit: audit)
    }
    switch outcome {
    case .kept: return
    case .grantRefused: throw ServiceError(.stepUpGrantRefused)
    }
  }

  /// Which client a request is from, in eight bytes that do not tell its address.
  private func client(_ context: RequestContext) -> [UInt8] {
    guard let network = context.sourceNetwork ?? context.sourceAddress else { return [] }
    return Array(HMAC.tag(of: [UInt8](network.utf8)[...], key: clientKey).prefix(8))
  }

  /// Takes the ceremony that a response answers: gone, whatever comes next. One that is too old, or bound to another
  /// browser, is as good as none.
  func take(
    answeredBy clientDataJSON: Bytes, credential: CredentialID, binding: CeremonyBinding?, codes: CeremonyCodes,
    at now: Timestamp
  ) async throws(ServiceError) -> OpenCeremony {
    let challenge: Bytes
    do throws(FormatError) {
      challenge = try ClientData(parsing: clientDataJSON).challenge
    } catch {
      throw ServiceError(codes.failed, cause: .format(error))
    }
    let id = CeremonyID(of: challenge)
    let taken = try await ask { (storage) throws(StorageError) in try await storage.take(id, credential: credential) }
    guard let ceremony = taken.ceremony, let payload = CeremonyPayload(parsing: ceremony.payload) else {
      throw ServiceError(codes.unknown)
    }
    guard now <= ceremony.expiry else { throw ServiceError(codes.unknown, "too old") }
    guard payload.isBound(to: binding) else { throw ServiceError(codes.unknown, "begun in another browser") }
    return OpenCeremony(
      bytes: payload.ceremony[...], intent: payload.intent, passkey: taken.passkey, account: taken.account)
  }
}

extension CeremonyPayload {
  /// Whether the ceremony was begun in the browser that finishes it, as far as either is known.
  ///
  /// One that was begun without a binding is not finished with one: somebody may have begun it without a browser, and have
  /// another's browser finish it, who would then be signed in as somebody else. What belongs to a session is tied by that.
  fileprivate func isBound(to presented: CeremonyBinding?) -> Bool {
    switch (binding, presented, intent) {
    case (nil, nil, _), (nil, _?, .addition), (nil, _?, .stepUp): true
    case (let binding?, let presented?, _): constantTimeEquals(binding[...], presented.digest[...])
    case (nil, _?, _), (_?, nil, _): false
    }
  }
}

/// How the failures of a kind of ceremony are called.
struct CeremonyCodes {
  let unknown: ServiceError.Code
  let failed: ServiceError.Code

  static let signUp = Self(unknown: .signUpCeremonyUnknown, failed: .signUpCeremonyFailed)
  static let signIn = Self(unknown: .signInCeremonyUnknown, failed: .signInCeremonyFailed)
  static let stepUp = Self(unknown: .stepUpCeremonyUnknown, failed: .stepUpCeremonyFailed)
}

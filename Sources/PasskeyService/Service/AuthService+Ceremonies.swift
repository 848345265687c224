// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// A ceremony that was taken: what it was to lead to, and what the store has under the response's credential id.
struct OpenCeremony {
  /// The relying party's half.
  let bytes: Bytes

  /// What the response must be bound to: the session of what belongs to one, and otherwise what the browser presents.
  let binding: CeremonyBinding?

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

  /// Takes the ceremony that a response answers: the store deletes it, whatever comes next. An expired one counts as none.
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
    return OpenCeremony(
      bytes: payload.ceremony[...], binding: payload.intent.sessionBinding ?? binding, intent: payload.intent,
      passkey: taken.passkey, account: taken.account)
  }
}

extension CeremonyIntent {
  /// The binding of what belongs to a session. The verbs compare the session itself, before anything is judged.
  var sessionBinding: CeremonyBinding? {
    switch self {
    case .addition(_, let session), .stepUp(let session): CeremonyBinding(session.bytes[...])
    case .signUp, .recovery, .signIn: nil
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

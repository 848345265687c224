// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// A ceremony taken from the store: its purpose, and the passkey stored under the response's credential ID.
struct ResumedCeremony {
  /// The relying party's encoded ceremony.
  let bytes: Bytes

  /// The binding that the response must match: the session's for a ceremony in a session, otherwise the one that the
  /// browser presents.
  let binding: CeremonyBinding?

  let intent: CeremonyIntent
  let passkey: Passkey?
  let account: Account?

  /// Returns the audit subject of a refused response: the credential if it is registered, otherwise a hash of its ID.
  /// An unknown ID is attacker-controlled and up to 1,000 bytes long, and the trail keeps subjects forever.
  func subject(_ response: CredentialID) -> AuditSubject {
    passkey == nil
      ? .other(kind: "unknown-credential", name: "\(TokenDigest(of: response.bytes))") : .credential(response)
  }
}

extension AuthService {
  /// Stores a pending ceremony.
  func storeCeremony(
    _ challenge: Challenge, of user: UserHandle?, until expiry: Timestamp, _ payload: CeremonyPayload,
    spending grant: GrantSpending? = nil, audit: [AuditDraft] = [], in context: RequestContext
  ) async throws(ServiceError) {
    let ceremony = PendingCeremony(
      id: CeremonyID(of: challenge.bytes), user: user, client: client(context), expiry: expiry,
      payload: payload.encoded)
    let outcome = try await withStorage { (storage) throws(StorageError) in
      try await storage.store(ceremony, spending: grant, audit: audit)
    }
    switch outcome {
    case .stored: return
    case .grantRefused: throw ServiceError(.stepUpGrantRefused)
    }
  }

  /// Returns eight bytes that distinguish the request's client without revealing its address.
  private func client(_ context: RequestContext) -> [UInt8] {
    guard let network = context.sourceNetwork ?? context.sourceAddress else { return [] }
    return Array(HMAC.tag(of: [UInt8](network.utf8), key: clientKey).prefix(8))
  }

  /// Takes the ceremony that a response answers. The store deletes the ceremony in every case. An expired ceremony
  /// counts as unknown.
  func take(
    answeredBy clientData: Result<ClientData, FormatError>, credential: CredentialID, binding: CeremonyBinding?,
    codes: CeremonyCodes,
    at now: Timestamp
  ) async throws(ServiceError) -> ResumedCeremony {
    let challenge: Bytes
    do throws(FormatError) {
      challenge = try clientData.get().challenge
    } catch {
      throw ServiceError(codes.failed, cause: .format(error))
    }
    let id = CeremonyID(of: challenge)
    let taken = try await withStorage { (storage) throws(StorageError) in
      try await storage.take(id, credential: credential)
    }
    guard let ceremony = taken.ceremony, let payload = CeremonyPayload(parsing: ceremony.payload) else {
      throw ServiceError(codes.unknown)
    }
    guard now <= ceremony.expiry else { throw ServiceError(codes.unknown, "expired") }
    return ResumedCeremony(
      bytes: payload.ceremony[...], binding: payload.intent.sessionBinding ?? binding, intent: payload.intent,
      passkey: taken.passkey, account: taken.account)
  }
}

extension CeremonyIntent {
  /// The binding to the session of a ceremony in a session. The caller also compares the session itself, before
  /// verification.
  var sessionBinding: CeremonyBinding? {
    switch self {
    case .addition(_, let session), .stepUp(let session), .reverification(let session): CeremonyBinding(session.bytes)
    case .signUp, .recovery, .signIn: nil
    }
  }
}

/// The error codes for one kind of ceremony.
struct CeremonyCodes {
  let unknown: ServiceError.Code
  let failed: ServiceError.Code

  static let signUp = Self(unknown: .signUpCeremonyUnknown, failed: .signUpCeremonyFailed)
  static let signIn = Self(unknown: .signInCeremonyUnknown, failed: .signInCeremonyFailed)
  static let reverification = Self(unknown: .sessionVerificationUnknown, failed: .sessionVerificationFailed)
  static let stepUp = Self(unknown: .stepUpCeremonyUnknown, failed: .stepUpCeremonyFailed)
}

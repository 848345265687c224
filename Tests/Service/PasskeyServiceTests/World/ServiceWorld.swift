// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyService

/// A service with a store of its own, and the operations that its tests repeat.
struct ServiceWorld {
  let memory: DatabaseStorage
  let faults: FaultyDatabase
  let storage: DatabaseStorage
  let service: AuthService

  static let start = UnixTime(secondsSince1970: 1_800_000_000)
  static let address = "192.0.2.7"

  init(
    _ policy: (inout ServicePolicy) -> Void = { _ in }, ceremony: (inout CeremonyPolicy) -> Void = { _ in }
  ) throws {
    memory = try SQLiteStorage.temporary()
    faults = FaultyDatabase(over: memory)
    storage = DatabaseStorage(faults)
    var ceremonyPolicy = CeremonyPolicy()
    ceremony(&ceremonyPolicy)
    var servicePolicy = ServicePolicy()
    policy(&servicePolicy)
    service = try AuthService(
      relyingParty: Self.relyingParty(ceremonyPolicy), storage: storage, decoys: Self.decoys(), policy: servicePolicy)
  }

  /// Creates another server with the same store.
  init(on world: ServiceWorld, _ policy: (inout ServicePolicy) -> Void) throws {
    memory = world.memory
    faults = world.faults
    storage = world.storage
    var servicePolicy = ServicePolicy()
    policy(&servicePolicy)
    service = try AuthService(
      relyingParty: world.service.relyingParty, storage: storage, decoys: Self.decoys(), policy: servicePolicy)
  }

  static func relyingParty(_ policy: CeremonyPolicy = CeremonyPolicy()) throws -> RelyingParty {
    try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: policy)
  }

  static func decoys() throws -> DecoyCredentials {
    try DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: RelyingPartyID("raxx.app"))
  }

  func at(_ seconds: Int = 0) -> CallContext {
    CallContext(time: Self.start + .seconds(seconds), requestID: "request-\(seconds)", sourceAddress: Self.address)
  }

  /// Creates an account with a passkey.
  func signUp(
    _ email: String, _ person: Person, code: OneTimeCode? = nil, at seconds: Int = 0
  ) async throws -> RegisteredPasskey {
    let options = try await service.beginRegistration(EmailAddress(email), code: code, in: at(seconds))
    return try await service.finishRegistration(person.create(options), in: at(seconds))
  }

  /// Opens a session.
  func signIn(_ email: String?, _ person: Person, at seconds: Int = 0) async throws -> OpenedSession {
    let options = try await service.beginSignIn(email.map { .email(try EmailAddress($0)) }, in: at(seconds))
    return try await service.finishSignIn(person.get(options), in: at(seconds))
  }

  /// Authenticates with the token of a session.
  func session(_ opened: OpenedSession?, at seconds: Int = 0) async throws -> AuthenticatedSession {
    try await service.authenticate(#require(opened).token, in: at(seconds))
  }

  /// Creates an account with a passkey and returns its session.
  func openSession(_ email: String, _ person: Person, at seconds: Int = 0) async throws -> AuthenticatedSession {
    try await session(signUp(email, person, at: seconds).opened, at: seconds)
  }

  /// Confirms an action.
  func confirm(
    _ action: ProtectedAction, _ session: AuthenticatedSession, _ person: Person, at seconds: Int = 0
  ) async throws -> PresentedConfirmation {
    let options = try await service.beginStepUp(for: action, by: session, in: at(seconds))
    let granted = try await service.finishStepUp(person.get(options), by: session, in: at(seconds))
    return PresentedConfirmation(of: action, grant: granted.token)
  }

  /// Confirms the default action.
  func confirm(_ session: AuthenticatedSession, _ person: Person) async throws -> PresentedConfirmation {
    try await confirm(Self.action, session, person)
  }

  static let action = ProtectedAction(method: "POST", path: "/api/orders", body: [UInt8]("{}".utf8))

  /// The events and outcomes of the audit trail, oldest first.
  var trail: [String] {
    get async throws {
      try await memory.auditEntries(after: 0, of: nil, limit: 10_000).map {
        $0.record.outcome == AuditDraft.success
          ? $0.record.event.rawValue : "\($0.record.event.rawValue)!\($0.record.outcome)"
      }
    }
  }
}

/// Expects `body` to fail with this code, and with `publicCode` for outsiders.
func expect(
  _ code: ServiceError.Code, toOutsiders publicCode: ServiceError.Code? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
  do {
    try await body()
    Issue.record("\(code.rawValue) did not happen", sourceLocation: sourceLocation)
  } catch let error as ServiceError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(error.publicCode == publicCode ?? code, sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}

extension DatabaseStorage {
  /// A concurrent use of a passkey, which increments its counter.
  func use(_ passkey: Passkey) async {
    guard let id = try? RandomSource.system.draw(AccountSessionID.self),
      let token = try? RandomSource.system.draw(TokenDigest.self)
    else { return }
    let use = CredentialUse(
      credential: passkey.record.id, user: passkey.user, revision: passkey.revision,
      signCount: passkey.record.signCount + 100, backupState: passkey.record.backupState, changesRecord: true,
      time: ServiceWorld.start)
    let session = AccountSession(
      id: id, user: passkey.user, credential: passkey.record.id, created: ServiceWorld.start,
      expiry: ServiceWorld.start, lastSeen: ServiceWorld.start)
    _ = try? await signIn(SignInCommit(use: use, opening: SessionOpening(session: session, token: token), audit: []))
  }
}

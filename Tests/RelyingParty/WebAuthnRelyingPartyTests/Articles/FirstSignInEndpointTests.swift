// SPDX-License-Identifier: Apache-2.0

import Testing

// [shown]
import WebAuthnFoundation
import WebAuthnRelyingParty
// [until here]

// [shown]
/// The two tables that passkeys need, in memory. In a database each method is one statement.
actor Store {
  private var pending: [String: [UInt8]] = [:]
  private var credentials: [CredentialID: StoredCredential] = [:]

  /// INSERT … ON CONFLICT (session) DO UPDATE
  func keep(_ ceremony: [UInt8], for session: String) {
    pending[session] = ceremony
  }

  /// DELETE … WHERE session = … RETURNING ceremony
  func take(_ session: String) throws -> [UInt8] {
    guard let ceremony = pending.removeValue(forKey: session) else { throw SignInError.nothingPending }
    return ceremony
  }

  /// SELECT … WHERE id = …
  func credential(_ id: CredentialID) -> StoredCredential? {
    credentials[id]
  }

  /// SELECT … WHERE user_handle = …
  func credentials(of user: UserHandle) -> [StoredCredential] {
    credentials.values.filter { $0.user == user }
  }

  /// INSERT, or UPDATE … WHERE id = … AND record = old. Returns whether it wrote a row.
  func store(_ credential: StoredCredential, replacing old: StoredCredential?) -> Bool {
    guard credentials[credential.record.id] == old else { return false }
    credentials[credential.record.id] = credential
    return true
  }
}

enum SignInError: Error {
  case nothingPending, credentialUnknown, credentialChanged
}
// [until here]

// [shown]
extension StoredCredential {
  /// The values of the row.
  var row: (id: [UInt8], user: [UInt8], record: [UInt8]) {
    (record.id.bytes, user.bytes, record.encoded)
  }

  /// Reads a row.
  init(user: [UInt8], record: [UInt8]) throws {
    self.init(user: try UserHandle(user), record: try CredentialRecord(parsing: record))
  }
}
// [until here]

// [shown]
struct SignIn {
  let relyingParty: RelyingParty
  let store: Store

  /// POST /api/auth/login/options
  func options(session: String, at now: UnixTime) async throws -> [UInt8] {
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, binding: CeremonyBinding(session), at: now)
    await store.keep(begun.pending.bytes, for: session)
    return begun.options.json
  }

  /// POST /api/auth/login/verify
  func verify(_ body: [UInt8], session: String, at now: UnixTime) async throws -> UserHandle {
    let taken = try await store.take(session)
    let response = try AuthenticationResponse(json: body)
    // The ceremony is taken. If another sign-in changes the credential, verify the same response again.
    for _ in 1...3 {
      guard let stored = await store.credential(response.id) else { throw SignInError.credentialUnknown }
      let result = try relyingParty.finishAuthentication(
        response, pending: PendingAuthentication(taken: taken), binding: CeremonyBinding(session), credential: stored,
        at: now)
      if await store.store(result.credential, replacing: stored) { return result.user }
    }
    throw SignInError.credentialChanged
  }
}
// [until here]

// [shown]
extension UserEntity {
  /// A new user. Store the handle, `id`, with the account.
  static func new(email: String, name: String) throws -> UserEntity {
    UserEntity(id: try .random(), name: email, displayName: name)
  }
}
// [until here]

// [shown]
struct Registration {
  let relyingParty: RelyingParty
  let store: Store

  /// POST /api/auth/register/options
  func options(for user: UserEntity, session: String, at now: UnixTime) async throws -> [UInt8] {
    let existing = await store.credentials(of: user.id).map(\.record.descriptor)
    let begun = try relyingParty.beginRegistration(
      of: user, excluding: existing, binding: CeremonyBinding(session), at: now)
    await store.keep(begun.pending.bytes, for: session)
    return begun.options.json
  }

  /// POST /api/auth/register/verify
  func verify(_ body: [UInt8], session: String, at now: UnixTime) async throws -> UserHandle {
    let pending = try await PendingRegistration(taken: store.take(session))
    let response = try RegistrationResponse(json: body)
    let existing = await CredentialLookup(store.credential(response.id))
    let result = try relyingParty.finishRegistration(
      response, pending: pending, binding: CeremonyBinding(session), existing: existing, at: now)
    guard await store.store(result.credential, replacing: nil) else { throw SignInError.credentialChanged }
    return result.credential.user
  }
}
// [until here]

@Suite struct FirstSignInEndpointTests {
  static let now = CeremonyWorld.now

  private func makeEndpoints() throws -> (Registration, SignIn) {
    // [shown]
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
    let store = Store()
    let registration = Registration(relyingParty: relyingParty, store: store)
    let signIn = SignIn(relyingParty: relyingParty, store: store)
    // [until here]
    return (registration, signIn)
  }

  private func register(_ registration: Registration) async throws -> TestDevice {
    let user = try UserEntity(
      id: UserHandle([UInt8]("user-1".utf8)), name: "ada@example.org", displayName: "Ada")
    let options = try await registration.options(for: user, session: "s1", at: Self.now)
    let device = try TestDevice(challenge: CreationOptions(json: options).challenge)
    let registered = try await registration.verify(device.registration().json, session: "s1", at: Self.now)
    #expect(registered == user.id)
    return device
  }

  @Test func `the endpoints register a passkey, sign in once, and refuse the rest`() async throws {
    let (registration, signIn) = try makeEndpoints()
    var device = try await register(registration)
    device.type = .get
    device.challenge = try await RequestOptions(json: signIn.options(session: "s2", at: Self.now)).challenge
    let body = try device.authentication().json
    let user = try await signIn.verify(body, session: "s2", at: Self.now)
    #expect(user == (try UserHandle([UInt8]("user-1".utf8))))
    await #expect(throws: SignInError.nothingPending) {
      try await signIn.verify(body, session: "s2", at: Self.now)
    }

    // A new ceremony has another challenge, which the old response does not answer. Each response is verified once.
    _ = try await signIn.options(session: "s2", at: Self.now)
    let error = await #expect(throws: CeremonyError.self) {
      try await signIn.verify(body, session: "s2", at: Self.now)
    }
    #expect(error?.code == .authenticationChallengeMismatch)
    #expect(error?.step == 11)
    await #expect(throws: SignInError.nothingPending) {
      try await signIn.verify(body, session: "s2", at: Self.now)
    }
  }

  @Test func `a credential that changed meanwhile is not overwritten`() async throws {
    let (registration, signIn) = try makeEndpoints()
    let device = try await register(registration)
    let stored = try #require(await signIn.store.credential(CredentialID(device.credentialID)))
    var changed = stored
    changed.record.signCount = 1
    #expect(await signIn.store.store(changed, replacing: stored))
    #expect(await !signIn.store.store(changed, replacing: stored))
    #expect(answer(to: SignInError.credentialChanged) == (503, "contended"))
  }

  @Test func `a credential is read back from its row`() async throws {
    let (registration, signIn) = try makeEndpoints()
    let device = try await register(registration)
    let stored = try #require(await signIn.store.credential(CredentialID(device.credentialID)))
    let row = stored.row
    #expect(row.id == device.credentialID)
    #expect(try StoredCredential(user: row.user, record: row.record) == stored)
  }

  @Test func `a second registration excludes the passkeys of the account`() async throws {
    let (registration, _) = try makeEndpoints()
    let device = try await register(registration)
    let user = try UserEntity(id: UserHandle([UInt8]("user-1".utf8)), name: "ada@example.org", displayName: "Ada")
    let options = try await CreationOptions(json: registration.options(for: user, session: "s1", at: Self.now))
    #expect(options.excludeCredentials.map(\.id) == [try CredentialID(device.credentialID)])
  }

  @Test func `the client gets one code for every refused sign-in`() async throws {
    let (_, signIn) = try makeEndpoints()
    _ = try await signIn.options(session: "s1", at: Self.now)
    await #expect { try await signIn.verify([], session: "s1", at: Self.now) } throws: {
      answer(to: $0) == (400, "authentication-response.malformed")
    }
    let device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 32)))
    _ = try await signIn.options(session: "s1", at: Self.now)
    await #expect { try await signIn.verify(device.authentication().json, session: "s1", at: Self.now) } throws: {
      answer(to: $0) == (401, "sign-in.refused") && $0 as? SignInError == .credentialUnknown
    }
    #expect(answer(to: CancellationError()) == (500, "internal"))
  }

  @Test func `an endpoint reads the clock`() async throws {
    let (registration, _) = try makeEndpoints()
    let before = UnixTime.now
    let user = try UserEntity.new(email: "ada@example.org", name: "Ada")
    #expect(user.id.bytes.count == 16)
    _ = try await registration.options(for: user, session: "s1", at: .now)
    let pending = try await PendingRegistration(taken: registration.store.take("s1"))
    #expect(before > Self.now - .seconds(100_000_000) && pending.expiry >= before + .seconds(300))
  }

  @Test func `a response after the lifetime is refused as expired`() async throws {
    let (registration, signIn) = try makeEndpoints()
    var device = try await register(registration)
    device.type = .get
    device.challenge = try await RequestOptions(json: signIn.options(session: "s1", at: Self.now)).challenge
    let body = try device.authentication().json
    await #expect { try await signIn.verify(body, session: "s1", at: Self.now + .seconds(301)) } throws: {
      answer(to: $0) == (401, "ceremony.expired")
    }
  }
}

// [shown]
/// Returns the status and the code for the client. Log the error itself, with its code and step.
func answer(to error: any Error) -> (status: Int, code: String) {
  switch error {
  case let error as FormatError: (400, error.code.rawValue)
  case let error as CeremonyError where error.code == .expired: (401, error.code.rawValue)
  case SignInError.credentialChanged: (503, "contended")
  case is CeremonyError, is SignInError: (401, "sign-in.refused")
  default: (500, "internal")
  }
}
// [until here]

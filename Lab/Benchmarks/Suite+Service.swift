// SPDX-License-Identifier: Apache-2.0

internal import CodecProperties
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeyStorage
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

extension Suite {
  /// The service's functions with a store in memory: their cost without a database.
  static func service() throws -> [Benchmark] {
    [
      Benchmark("service.sign-in") {
        let fixture = try ServiceFixture()
        return { keep(try fixture.signIn()) }
      },
      Benchmark("service.authenticate") {
        let fixture = try ServiceFixture()
        return { keep(try fixture.authenticate()) }
      },
      Benchmark("service.audit.seal") {
        let draft = try ServiceFixture.draft()
        return { keep(draft.sealed(after: .beginning)) }
      },
    ]
  }
}

/// One account with one passkey. Each sign-in has a new store and a random source in its initial state, so that the challenge
/// and the response are always the same. Creating them is part of the time.
private struct ServiceFixture {
  private let relyingParty: RelyingParty
  private let decoys: DecoyCredentials
  private let commit: RegistrationCommit
  private let email: EmailAddress
  private let response: AuthenticationResponse
  private let signedIn: AuthService
  private let token: Token
  private static let context = CallContext(
    time: UnixTime(secondsSince1970: 1_800_000_000), requestID: "01J00000000000000000000000",
    sourceAddress: "192.0.2.7")

  init() throws {
    let origin = try WebOrigin("https://raxx.app")
    relyingParty = try RelyingParty(id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [origin])
    decoys = try DecoyCredentials(
      key: SecretBytes([UInt8](repeating: 7, count: 32)[...]), for: RelyingPartyID("raxx.app"))
    let key = try SigningKey.generate(.es256, random: .system)
    email = try EmailAddress("ada@raxx.app")
    let handle = try UserHandle([UInt8](repeating: 1, count: 32))
    let id = try CredentialID([UInt8](repeating: 2, count: 32))
    let record = CredentialRecord(
      id: id, publicKey: key.publicKey.encoded, signCount: 0, uvInitialized: true, transports: [.internal],
      backupEligible: true, backupState: true)
    commit = RegistrationCommit(
      owner: .newAccount(Account(handle: handle, email: email, state: .active, created: Self.context.time)),
      passkey: Passkey(
        user: handle, record: record, name: .unnamed, aaguid: .zero,
        attestation: AttestationSummary(format: .none, type: "none", trust: .none), created: Self.context.time),
      code: nil, opening: nil, maximumPasskeyCount: 1, time: Self.context.time, audit: [])

    let service = try Self.service(relyingParty, decoys)
    let (commit, email) = (commit, email)
    let challenge = try wait {
      _ = try await service.storage.register(commit)
      return try await service.verbs.beginSignIn(email, in: Self.context).challenge
    }
    let clientData = ClientData(type: .get, challenge: challenge, origin: origin).encoded
    // UP, UV, BE and BS set, and a signature counter of zero.
    let data = Digest.sha256([UInt8]("raxx.app".utf8)[...]) + [0x1d, 0, 0, 0, 0]
    let answer = AuthenticationResponse(
      id: id, clientDataJSON: clientData, authenticatorData: data[...],
      signature: try key.sign((data + Digest.sha256(clientData[...]))[...])[...], userHandle: handle)
    response = answer
    signedIn = service.verbs
    token = try wait { try await service.verbs.finishSignIn(answer, in: Self.context).token }
  }

  func signIn() throws -> OpenedSession {
    let service = try Self.service(relyingParty, decoys)
    let (commit, email, response) = (commit, email, response)
    return try wait {
      _ = try await service.storage.register(commit)
      _ = try await service.verbs.beginSignIn(email, in: Self.context)
      return try await service.verbs.finishSignIn(response, in: Self.context)
    }
  }

  func authenticate() throws -> AuthenticatedSession {
    let (service, token) = (signedIn, token)
    return try wait { try await service.authenticate(token, in: Self.context) }
  }

  static func draft() throws -> AuditDraft {
    let handle = try UserHandle([UInt8](repeating: 1, count: 32))
    return AuditDraft(
      time: context.time, actor: handle, account: handle, event: .sessionOpened,
      subject: "session:AAAAAAAAAAAAAAAAAAAAAA",
      requestID: context.requestID, details: ["credential": "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"],
      personalDetails: [
        PersonalDetail(name: .address, person: handle, salt: [UInt8](repeating: 3, count: 32), value: "192.0.2.7")
      ])
  }

  private static func service(
    _ relyingParty: RelyingParty, _ decoys: DecoyCredentials
  ) throws -> (verbs: AuthService, storage: MemoryStorage) {
    let storage = MemoryStorage()
    let verbs = try AuthService(
      relyingParty: relyingParty, storage: storage, decoys: decoys, random: .seeded([1, 2, 3]))
    return (verbs, storage)
  }
}

/// Runs `work` to its result on this thread.
private func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
  let result = DrainingExecutor.run { () async -> Result<Value, any Error> in
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }
  guard let result else { throw ServiceStalled() }
  return try result.get()
}

/// A function suspended without anything to resume it.
private struct ServiceStalled: Error {}

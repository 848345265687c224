// SPDX-License-Identifier: Apache-2.0

@testable import IntegrationPages
import PasskeyFormats
import PasskeyServiceTestSupport
import PostgresNIOStandIn
import Testing
import WebAuthnFoundation
import WebAuthnRelyingParty

@Suite struct FromSwiftWebAuthnTests {
  private let relyingParty: RelyingParty
  private let tables = PostgresTables(client: PostgresClient())
  private let ada: Person
  private let registered: StoredCredential

  init() async throws {
    var policy = CeremonyPolicy()
    policy.uninitializedUserVerification = .report
    relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: policy)
    try await tables.create()
    ada = try Person()
    let begun = try relyingParty.beginRegistration(
      of: UserEntity(id: .random(), name: "ada", displayName: "Ada"), at: .now)
    registered = try relyingParty.finishRegistration(
      RegistrationResponse(json: [UInt8](await ada.create(begun.options.jsonText).utf8)), pending: begun.pending,
      existing: .notFound, at: .now
    ).credential
  }

  private func row(_ publicKey: [UInt8], id: String? = nil) -> OldRow {
    OldRow(
      credentialID: id ?? Base64.encode(registered.record.id.bytes), publicKey: publicKey,
      signCount: registered.record.signCount, userID: registered.user.bytes)
  }

  @Test func `a user whose row was migrated signs in once`() async throws {
    let rows = [row(registered.record.publicKey), row([0xa0]), row([], id: "!")]
    for _ in 1...2 {
      #expect(try await migrate(rows, to: tables).map(\.row.publicKey) == [[0xa0], []])
    }
    let signIn = SignIn(relyingParty: relyingParty, tables: tables)
    let options = String(decoding: try await signIn.options(session: "1"), as: UTF8.self)
    let response = [UInt8](try await ada.get(options).utf8)
    await #expect(throws: CeremonyError.self) { try await signIn.verify(response, session: "2") }
    #expect(try await signIn.verify(response, session: "1") == registered.user)
    await #expect(throws: CeremonyError.self) { try await signIn.verify(response, session: "1") }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyProfiles
import PasskeyService
import Testing
import WebAuthnClient
import WebAuthnTypes

/// The complete handshake, with the project's own server.
struct HandshakeTests {
  private static let ada = "ada@example.org"
  /// A user name that is no email address.
  private static let yaptUser = "Ada of the Sea"
  private static let order = Array(#"{"symbol":"RAXX","amount":5000}"#.utf8)

  @Test func `Raxx: register, sign in, confirm an order, and sign out`() async throws {
    let world = try ServerWorld(.raxx)
    let handshake = try PasskeyOwner().handshake(.raxx, at: world.address)
    let made = try await handshake.register(user: Self.ada, passkeyName: "laptop")
    #expect(made.account.address == Self.ada && made.account.state == "active" && !made.isPending)
    let first = try #require(made.session)
    #expect(first.user == Self.ada && first.profile == "raxx" && !first.isRenewable)
    #expect(first.expiry == world.now + .seconds(15 * 60))

    var session = try await handshake.signIn(user: Self.ada)
    let me = try await handshake.whoAmI(in: &session)
    #expect(me.account.id == made.account.id && me.expiry == session.expiry && me.secondsLeft == nil)
    world.pass(14 * 60)
    #expect(try await handshake.whoAmI(in: &session).secondsLeft == 60)
    #expect(session.secondsLeft(at: world.now) == 60 && session.endsSoon(at: world.now))

    let asked = try await handshake.send(
      method: "POST", path: "/api/orders", body: Self.order, contentType: "application/json", in: &session)
    guard case .needsStepUp(let demand, let reply) = asked else {
      Issue.record("\(asked)")
      return
    }
    #expect(reply.status == 401 && reply.problem?.code == "step-up.required")
    #expect(demand == StepUpDemand(method: "POST", path: "/api/orders", body: Self.order[...]))
    let grant = try await handshake.stepUp(method: "POST", path: "/api/orders", body: Self.order, in: &session)
    func send(_ body: [UInt8]) async throws -> ServerReply {
      let outcome = try await handshake.send(
        method: "POST", path: "/api/orders", body: body, contentType: "application/json", grant: grant, in: &session)
      guard case .answered(let reply) = outcome else { throw ClientError(.stepUpMismatch) }
      return reply
    }
    let before = world.writeCount
    let changed = await #expect(throws: ClientError.self) { try await send(Self.order + [0x20]) }
    #expect(changed?.code == .stepUpMismatch && changed?.outcome == .notSent)
    #expect(world.writeCount == before)
    #expect(try await send(Self.order).status == 200)
    let again = try await send(Self.order)
    #expect(again.status == 401 && again.problem?.code == "step-up.grant-refused")
    #expect(world.writeCount == before + 2)

    try await handshake.signOut(of: session)
    let dead = await #expect(throws: ClientError.self) { try await handshake.whoAmI(in: &session) }
    #expect(dead?.code == .refusedByServer && dead?.problem?.code == "session.unknown" && dead?.outcome == nil)
    #expect(dead?.problem?.status == 401 && dead?.detail?.hasPrefix("session.unknown: ") == true)
  }

  @Test(arguments: [(ServiceProfile.raxx, "ada@example.org"), (.aiday, "ada")])
  func `Any passkey signs in if no name is given`(_ profile: ServiceProfile, _ name: String) async throws {
    let world = try ServerWorld(profile) { $0.signUp = .open }
    let handshake = try PasskeyOwner().handshake(profile, at: world.address)
    _ = try await handshake.register(user: name, email: Self.ada)
    var session = try await handshake.signIn()
    #expect(session.user == name)
    #expect(try await handshake.whoAmI(in: &session).account.address == name)
    let health = try await handshake.http.send(ServerRequest("GET", "/healthz"))
    #expect(health.isSuccess)
  }

  @Test func `a sign-in is begun early and finished when the user chooses a passkey`() async throws {
    let world = try ServerWorld(.raxx) { (policy) in
      policy.uiMode = .immediate
      policy.conditionalLifetime = .seconds(1_200)
    }
    let handshake = try PasskeyOwner().handshake(.raxx, at: world.address)
    _ = try await handshake.register(user: Self.ada)
    let begun = try await handshake.beginSignIn(mediation: .conditional)
    #expect(begun.expiry == world.now + .seconds(1_200) && begun.uiMode == nil)
    #expect(try await handshake.beginSignIn().uiMode == "immediate")
    #expect(begun.options.allowCredentials.isEmpty)
    world.pass(1_000)
    var session = try await handshake.finish(begun)
    #expect(try await handshake.whoAmI(in: &session).account.address == Self.ada)
    // The authenticator's model is unknown.
    #expect(try await handshake.credentials(in: &session).map(\.provider) == [nil])
    #expect(try await handshake.beginSignIn(user: Self.ada).expiry == world.now + .seconds(300))
    let other = try PasskeyOwner().handshake(.yapt, at: world.address)
    let error = await #expect(throws: ClientError.self) { try await other.beginSignIn(mediation: .conditional) }
    #expect(error?.code == .profileInvalid)
  }

  @Test func `a refused sign-in names the passkey that the server does not know`() async throws {
    let world = try ServerWorld(.raxx)
    let handshake = try PasskeyOwner().handshake(.raxx, at: world.address)
    let made = try await handshake.register(user: Self.ada)
    var session = try #require(made.session)
    try await handshake.eraseAccount(in: &session)
    let refused = await #expect(throws: ClientError.self) { try await handshake.signIn() }
    #expect(refused?.problem?.unknownCredential == Base64URL.encode(made.credential.bytes))
  }

  @Test func `Yapt: a cookie carries the ceremony and the session, also into another process`() async throws {
    let world = try ServerWorld(.yapt)
    let owner = try PasskeyOwner()
    let handshake = try owner.handshake(.yapt, at: world.address)
    let made = try await handshake.register(user: Self.yaptUser)
    #expect(made.account.address == Self.yaptUser)
    var first = try #require(made.session)
    #expect(try await handshake.credentials(in: &first).map(\.id) == [Base64URL.encode(made.credential.bytes)])
    var session = try await handshake.signIn(user: Self.yaptUser)

    var stored = try ServerSession(json: session.json[...])
    #expect(stored == session)
    let later = try owner.handshake(.yapt, at: world.address)
    #expect(try await later.whoAmI(in: &stored).account.address == Self.yaptUser)
    // Cookies of one session are not used in another.
    #expect(try await later.sessions(in: &first).count == 2)
    #expect(
      try await later.sessions(in: &stored).first { $0.isCurrent }?.id
        != later.sessions(in: &first).first { $0.isCurrent }?.id)
    let grant = try await later.stepUp(method: "POST", path: "/api/orders", body: Self.order, in: &stored)
    let outcome = try await later.send(
      method: "POST", path: "/api/orders", body: Self.order, contentType: "application/json", grant: grant, in: &stored)
    guard case .answered(let reply) = outcome, reply.status == 200 else {
      Issue.record("\(outcome)")
      return
    }
    try await later.signOut(of: stored)
    let dead = await #expect(throws: ClientError.self) { try await later.whoAmI(in: &session) }
    #expect(dead?.problem?.code == "session.unknown")
    #expect(try await later.whoAmI(in: &first).account.address == Self.yaptUser)
  }

  @Test func `Aiday: an account waits for its approval, and its session is renewed once by each token`() async throws {
    let world = try ServerWorld(.aiday)
    let handshake = try PasskeyOwner().handshake(.aiday, at: world.address)
    let made = try await handshake.register(user: "ada", email: Self.ada)
    #expect(made.isPending && made.account.state == "pending")
    // An account that is pending holds tokens, and reads its profile with them.
    var early = try await handshake.signIn(user: "ada")
    #expect(try await handshake.whoAmI(in: &early).account.state == "pending")
    let refused = await #expect(throws: ClientError.self) { try await handshake.sessions(in: &early) }
    #expect(refused?.problem?.code == "session.account-pending")
    try await world.approve(Self.ada)
    let session = try await handshake.signIn(user: Self.ada)
    #expect(session.isRenewable && session.user == Self.ada)
    var renewed = session
    try await handshake.refresh(&renewed)
    #expect(renewed != session && renewed.isRenewable && renewed.user == Self.ada)
    #expect(try await handshake.whoAmI(in: &renewed).account.roles == [])
    world.pass(11)
    let spent = await #expect(throws: ClientError.self) {
      var spent = session
      try await handshake.refresh(&spent)
    }
    #expect(spent?.code == .refusedByServer && spent?.problem?.status == 401)
    world.pass(16 * 60)
    let idle = await #expect(throws: ClientError.self) { try await handshake.whoAmI(in: &renewed) }
    #expect(idle?.problem?.status == 401)
  }

  @Test(arguments: [(ServiceProfile.raxx, "ada@example.org"), (.yapt, "ada"), (.aiday, "ada")])
  func `The user of a stored session is verified again without another session`(
    _ profile: ServiceProfile, _ name: String
  ) async throws {
    let world = try ServerWorld(profile) { $0.signUp = .open }
    let owner = try PasskeyOwner()
    let made = try await owner.handshake(profile, at: world.address).register(user: name, email: Self.ada)
    var session = try ServerSession(json: try #require(made.session).json[...])
    let before = session
    let later = try owner.handshake(profile, at: world.address)
    #expect(profile.canReverify)
    world.pass(60)
    #expect(try await later.reverify(in: &session).account.id == made.account.id)
    #expect(session.hasCredentials(of: before))
    #expect(try await later.sessions(in: &session).count == 1)
    let stranger = try PasskeyOwner()
    let refused = await #expect(throws: ClientError.self) {
      try await stranger.handshake(profile, at: world.address).reverify(in: &session)
    }
    #expect(refused?.code == .noCredentials)
    #expect(try await later.whoAmI(in: &session).account.id == made.account.id)
  }

  @Test func `Passkeys and sessions can be listed, renamed, added, deleted and ended`() async throws {
    let world = try ServerWorld(.raxx)
    let owner = try PasskeyOwner()
    let handshake = try owner.handshake(.raxx, at: world.address)
    let made = try await handshake.register(user: Self.ada)
    var session = try #require(made.session)
    let id = Base64URL.encode(made.credential.bytes)
    try await handshake.renameCredential(id, to: "old laptop", in: &session)

    // Another device gets another passkey with a recovery code.
    let other = try PasskeyOwner().handshake(.raxx, at: world.address)
    let recovered = try await other.register(user: Self.ada, code: try await world.recoveryCode(Self.ada))
    #expect(recovered.account.id == made.account.id)
    var second = try await other.signIn(user: Self.ada)
    let names = try await other.credentials(in: &second)
    #expect(names.count == 2 && names.contains { $0.id == id && $0.name == "old laptop" && !$0.isDisabled })
    try await other.deleteCredential(id, in: &second)
    #expect(try await other.credentials(in: &second).count == 1)

    var third = try await other.signIn(user: Self.ada)
    let listed = try await other.sessions(in: &third)
    let secondID = try #require(listed.first { !$0.isCurrent }?.id)
    #expect(listed.filter(\.isCurrent).count == 1)
    try await other.revokeSession(secondID, in: &third)
    try await other.revokeOtherSessions(in: &third)
    #expect(try await other.sessions(in: &third).count == 1)
    let export = try await other.export(in: &third)
    #expect(String(decoding: export, as: UTF8.self).contains(Self.ada))
    try await other.eraseAccount(in: &third)
    let gone = await #expect(throws: ClientError.self) { try await other.whoAmI(in: &third) }
    #expect(gone?.code == .refusedByServer)
  }

  @Test func `A passkey is added with an existing one`() async throws {
    let world = try ServerWorld(.raxx)
    let owner = try PasskeyOwner()
    let handshake = try owner.handshake(.raxx, at: world.address)
    var session = try #require(try await handshake.register(user: Self.ada).session)
    let other = try PasskeyOwner()
    let added = try await handshake.addPasskey(on: other.client, name: "key ring", in: &session)
    #expect(added.account.address == Self.ada && !added.isPending)
    var kept = try #require(added.session)
    #expect(Set(try await handshake.credentials(in: &kept).map(\.id)).count == 2)
    #expect(try await other.handshake(.raxx, at: world.address).signIn().user == Self.ada)
    // The device already has an excluded credential.
    let excluded = await #expect(throws: ClientError.self) {
      try await handshake.addPasskey(on: owner.client, in: &session)
    }
    #expect(excluded?.code == .credentialExcluded)
    #expect(excluded?.domName == "InvalidStateError")
  }

  @Test func `A refusal has the server's code and ends the handshake`() async throws {
    let world = try ServerWorld(.raxx) { $0.signUp = .invitation }
    let handshake = try PasskeyOwner().handshake(.raxx, at: world.address)
    let error = await #expect(throws: ClientError.self) { try await handshake.register(user: Self.ada) }
    #expect(error?.code == .refusedByServer && error?.problem?.code == "sign-up.invitation-required")
    #expect(error?.problem?.requestID?.isEmpty == false)
    #expect(world.requests == ["POST /api/auth/register/options"])
    let malformed = await #expect(throws: ClientError.self) { try await handshake.signIn(user: "no address") }
    #expect(malformed?.problem?.code == "account.email-invalid" && malformed?.problem?.status == 422)
  }

  @Test func `A session is used for its own server and profile only`() async throws {
    let world = try ServerWorld(.raxx)
    let other = try ServerWorld(.raxx)
    let owner = try PasskeyOwner()
    var session = try #require(
      try await owner.handshake(.raxx, at: world.address).register(user: Self.ada).session)
    for handshake in [
      try owner.handshake(.raxx, at: other.address), try owner.handshake(.aiday, at: world.address),
      try owner.handshake(.raxx, at: "http://localhost:\(world.port)"),
    ] {
      let count = world.requests.count
      let error = await #expect(throws: ClientError.self) { try await handshake.whoAmI(in: &session) }
      #expect(error?.code == .sessionInvalid)
      #expect(world.requests.count == count && other.requests.isEmpty)
    }
  }
}

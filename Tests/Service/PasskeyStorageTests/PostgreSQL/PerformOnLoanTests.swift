// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeySQLite
@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Actions of the service within transactions of an embedding server's own connection.
  @Suite struct PerformOnLoanTests {
    private static let start = UnixTime(secondsSince1970: 1_800_000_000)
    private static let context = CallContext(time: start, requestID: "r-1", sourceAddress: "192.0.2.7")
    private static let action = ProtectedAction(method: "POST", path: "/api/orders", body: [UInt8]("{}".utf8))

    private static func service(_ storage: DatabaseStorage) throws -> AuthService {
      let relyingParty = try RelyingParty(
        id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")])
      var policy = ServicePolicy()
      policy.destinations = [NoticeDestination(DestinationName(rawValue: "erp"), events: ["order.*"])]
      return try AuthService(
        relyingParty: relyingParty, storage: storage,
        decoys: DecoyCredentials(
          key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: relyingParty.id), policy: policy)
    }

    /// A signed-in user, and a connection of the embedding server in a transaction.
    private struct World {
      let storage: PostgreSQLStorage
      let service: AuthService
      let own: OwnConnection
      let person: Person
      let session: AuthenticatedSession

      init() async throws {
        storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
        service = try PerformOnLoanTests.service(storage)
        try await service.claimStore(at: Sample.start)
        own = try await OwnConnection.open()
        person = try Person()
        let options = try await service.beginRegistration(
          EmailAddress("ada@example.org"), code: nil, in: PerformOnLoanTests.context)
        let opened = try await service.finishRegistration(person.create(options), in: PerformOnLoanTests.context).opened
        session = try await service.authenticate(try #require(opened).token, in: PerformOnLoanTests.context)
        try await own.run("BEGIN")
      }

      func confirmation() async throws -> PresentedConfirmation {
        let options = try await service.beginStepUp(for: action, by: session, in: context)
        let granted = try await service.finishStepUp(person.get(options), by: session, in: context)
        return PresentedConfirmation(of: action, grant: granted.token)
      }

      func perform(_ confirmation: PresentedConfirmation, through other: AuthService? = nil) async throws {
        let loan = unsafe storage.borrow(own.pointer)
        try await (other ?? service).perform(confirmation, by: session, in: context, within: loan) {
          (transaction) throws(StorageError) in
          try transaction.record(AuditEvent(rawValue: "order.filled"), subject: (kind: "order", name: "o-1"))
        }
      }

      /// The number of audit records of spent or refused confirmations, and of orders.
      func records(_ event: String, refused: Bool = false) async throws -> Int {
        try await storage.auditEntries(after: 0, of: nil, limit: 1_000).count { (entry) in
          entry.record.event.rawValue == event && (entry.record.outcome != AuditDraft.success) == refused
        }
      }
    }

    @Test func `an action commits with the embedding server's transaction, and its confirmation is spent`() async throws
    {
      let world = try await World()
      let confirmation = try await world.confirmation()
      try await world.perform(confirmation)
      #expect(try await world.records("order.filled") == 0)
      try await world.own.run("COMMIT")
      #expect(try await world.records("order.filled") == 1)
      #expect(try await world.records("step-up.spent") == 1)
      #expect(try await world.storage.outboxCounts().map(\.waiting) == [1])
      try await world.service.sweep(at: PerformOnLoanTests.context.time)
      #expect(try await world.service.verifyAuditTrail().waitingCount == 0)

      try await world.own.run("BEGIN")
      await Self.expectRefusal { try await world.perform(confirmation) }
      // The refusal is recorded outside the transaction, which still holds no lock.
      #expect(
        try await HangGuard.waits { () async throws -> Bool in
          try await world.records("step-up.spent", refused: true) == 1
        })
      await world.storage.close()
    }

    @Test func `a confirmation of another action is counted although the transaction rolls back`() async throws {
      let world = try await World()
      let confirmation = try await world.confirmation()
      let wrong = PresentedConfirmation(
        of: ProtectedAction(method: "POST", path: "/api/orders", body: [1]), grant: confirmation.grant)
      for attempt in 1...3 {
        await Self.expectRefusal { try await world.perform(wrong) }
        try await world.own.run("ROLLBACK")
        #expect(
          try await HangGuard.waits { () async throws -> Bool in
            try await world.records("step-up.spent", refused: true) == attempt
          })
        try await world.own.run("BEGIN")
      }
      await Self.expectRefusal { try await world.perform(confirmation) }
      await world.storage.close()
    }

    @Test func `a transaction of another store is refused`() async throws {
      let world = try await World()
      let other = try Self.service(try SQLiteStorage.temporary())
      let error = await #expect(throws: ServiceError.self) {
        try await world.perform(world.confirmation(), through: other)
      }
      #expect(error?.code == .configurationInvalid)
      await world.storage.close()
    }

    private static func expectRefusal(_ body: () async throws -> Void) async {
      let error = await #expect(throws: ServiceError.self) { try await body() }
      #expect(error?.code == .stepUpGrantRefused)
    }
  }
}

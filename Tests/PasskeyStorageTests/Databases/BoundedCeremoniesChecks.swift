// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension DatabaseChecks {
  /// A database evicts ceremonies like the memory store: excess ceremonies of one client or for one account, but not
  /// the owner's.
  static func trimsCeremonies(_ storage: DatabaseStorage) async throws {
    let user = try Sample.account().handle
    let owners = try [user, nil].map { try Sample.ceremony(of: $0, by: [255], until: Sample.time(100)) }
    let size = BoundedCeremonies.size(of: owners[0])
    // Ten clients flood one account, and one client floods all others.
    var flood: [PendingCeremony] = []
    for number in 0..<200 {
      let handle = number.isMultiple(of: 2) ? user : try Sample.account().handle
      let client = number.isMultiple(of: 2) ? UInt8(number / 2 % 10) : 99
      flood.append(try Sample.ceremony(of: handle, by: [client], until: Sample.time(101 + number)))
    }
    let all = owners + flood
    try await storage.database.write(.serial) { (transaction) throws(StorageError) in
      try transaction.run(all.map(\.insertion))
      try transaction.run(BoundedCeremonies.eviction(to: 50 * size))
    }
    let total = try await storage.database.read { (transaction) throws(StorageError) in
      try transaction.row(BoundedCeremonies.sum)?.integer(0)
    }
    #expect(total == Int64(50 * size))
    for ceremony in owners {
      #expect(try await storage.take(ceremony.id, credential: CredentialID([1])).ceremony == ceremony)
    }
    // The newest ceremonies of the flood remain, with equal shares per client and per account.
    let kept = try await storage.database.read { (transaction) throws(StorageError) in
      try transaction.rows(SQLStatement("SELECT \(PendingCeremony.columns) FROM ceremonies")).count
    }
    #expect(kept == 48)
    #expect(try await storage.take(all[201].id, credential: CredentialID([1])).ceremony == all[201])
    #expect(try await storage.take(all[200].id, credential: CredentialID([1])).ceremony == all[200])
    #expect(try await storage.take(all[2].id, credential: CredentialID([1])).ceremony == nil)
  }
}

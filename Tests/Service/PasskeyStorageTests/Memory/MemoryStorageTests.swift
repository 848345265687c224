// SPDX-License-Identifier: Apache-2.0

import PasskeyStorage
import Testing

/// The memory store against the contract.
struct MemoryStorageTests {
  @Test(arguments: StorageContract.cases)
  func `the memory store fulfills the contract`(of contract: StorageContract.Case) async throws {
    try await contract.run(on: [MemoryStorage()])
  }
}

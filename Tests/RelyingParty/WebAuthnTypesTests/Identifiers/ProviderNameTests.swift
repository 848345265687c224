// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WebAuthnTypes

@Suite struct ProviderNameTests {
  @Test func `a provider has a name, an unknown model has none`() {
    #expect(AAGUID(uuid: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4")?.providerName == "Google Password Manager")
    #expect(AAGUID(uuid: "fbfc3007-154e-4ecc-8c0b-6e020557d7bd")?.providerName == "Apple Passwords")
    #expect(AAGUID(uuid: "00112233-4455-6677-8899-aabbccddeeff")?.providerName == nil)
    #expect(AAGUID.zero.providerName == nil)
  }

  @Test func `the table is sorted, each AAGUID is well formed and occurs once, and names fit into a line`() {
    let uuids = AAGUID.providerTable.map(\.0)
    #expect(AAGUID.providers.count == uuids.count)
    #expect(zip(uuids, uuids.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    for (uuid, name) in AAGUID.providerTable {
      #expect(AAGUID(uuid: uuid)?.description == uuid)
      #expect(1...40 ~= name.count && !name.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}

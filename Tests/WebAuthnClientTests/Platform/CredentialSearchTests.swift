// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import Testing
import WebAuthnTypes

@testable import WebAuthnClient

struct CredentialSearchTests {
  private func search(_ change: (inout AuthenticatorInfo) -> Void) async throws -> CredentialSearch {
    var info = AuthenticatorInfo(versions: ["FIDO_2_1"], aaguid: .zero)
    change(&info)
    let encoded = info.encoded[...]
    let device = FakeAuthenticator { (_, _) throws(CTAPError) in encoded }
    return CredentialSearch(
      authenticator: try await ConnectedAuthenticator(device, random: .system), authorization: .none)
  }

  private func list(_ counts: [Int]) throws -> [CredentialDescriptor] {
    try counts.map { (count) in CredentialDescriptor(id: try CredentialID([UInt8](repeating: 1, count: count))) }
  }

  @Test func `a list that fits stays whole`() async throws {
    let search = try await search { (_) in }
    #expect(search.batches(of: try list([16, 16, 16])).map(\.count) == [3])
    #expect(search.batches(of: []).isEmpty)
  }

  @Test func `a list is cut by count, by length and by what fits into a message`() async throws {
    let counted = try await search { (info) in info.maximumCredentialCountInList = 2 }
    #expect(counted.batches(of: try list([16, 16, 16, 16, 16])).map(\.count) == [2, 2, 1])
    let short = try await search { (info) in info.maximumCredentialIDByteCount = 32 }
    #expect(short.batches(of: try list([33, 32, 1023])).map(\.count) == [1])
    let small = try await search { (_) in }
    // 1024 bytes, of which 640 are for the rest; each takes 128 and its head.
    #expect(small.batches(of: try list([128, 128, 128, 128, 128])).map(\.count) == [2, 2, 1])
    // One that fits into no message is sent alone, and the device says what it thinks of it.
    #expect(small.batches(of: try list([1000, 16])).map(\.count) == [1, 1])
  }

  @Test func `numbers that no list has do no harm`() async throws {
    for number in [0, UInt64.max] {
      let search = try await search { (info) in
        info.maximumCredentialCountInList = number
        info.maximumMessageByteCount = number
      }
      #expect(search.batches(of: try list([16, 16])).flatMap { (batch) in batch }.count == 2)
    }
  }
}

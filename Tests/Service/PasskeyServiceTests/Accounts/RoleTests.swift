// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyService

struct RoleTests {
  @Test func `valid role names are accepted`() throws {
    let names = ["admin", "trader-2", String(repeating: "r", count: 32)].map { Role(rawValue: $0) }
    #expect(try Role.roles(names + names) == Set(names))
    #expect(try Role.roles([]).isEmpty)
    #expect(Role.administrator.rawValue == "admin")
  }

  @Test(arguments: ["", "Admin", "a b", "ä", String(repeating: "r", count: 33)])
  func `invalid role names are refused`(name: String) async {
    await expect(.roleInvalid) { _ = try Role.roles([Role(rawValue: name)]) }
  }

  @Test func `an account has at most sixteen roles`() async throws {
    let names = (0..<17).map { Role(rawValue: "r\($0)") }
    #expect(try Role.roles(names.prefix(16)).count == 16)
    await expect(.roleInvalid) { _ = try Role.roles(names) }
  }
}

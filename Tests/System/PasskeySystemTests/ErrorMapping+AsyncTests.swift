// SPDX-License-Identifier: Apache-2.0

import PasskeySystem
import Testing

@Suite struct AsyncErrorMappingTests {
  private struct Mapped: Error, Equatable {
    let number: Int32

    init(_ error: SystemError) {
      number = error.number
    }
  }

  private static func value(_ error: SystemError?) async throws(SystemError) -> Int {
    await Task.yield()
    if let error { throw error }
    return 7
  }

  @Test func `the value of an asynchronous expression is returned, and its error mapped`() async throws {
    #expect(try await mapError(async: await Self.value(nil), Mapped.init) == 7)
    await #expect(throws: Mapped(.noSuchFile)) {
      _ = try await mapError(async: await Self.value(.noSuchFile), Mapped.init)
    }
  }
}

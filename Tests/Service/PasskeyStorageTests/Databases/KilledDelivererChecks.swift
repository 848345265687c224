// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// Kills servers and deliverers under load.
enum KilledDelivererChecks {
  /// Fifty times, kills a program that writes notices and one that delivers them, a moment after both began. Then lets a
  /// deliverer finish. Checks that every acknowledged notice was delivered, and that a notice always had the same ID.
  static func loseNothing(_ database: [String]) async throws {
    var generator = PropertyRuns.generator(run: 0)
    var acknowledged: Set<String> = []
    var lines: [String] = []
    for _ in 0..<50 {
      let times = (Int.random(in: 1...60_000, using: &generator), Int.random(in: 1...60_000, using: &generator))
      async let written = WritingProcess.acknowledgements(["notices"] + database, killedAfter: times.0)
      async let delivered = WritingProcess.acknowledgements(["deliver"] + database, killedAfter: times.1)
      acknowledged.formUnion(try await written)
      lines += try await delivered
    }
    lines += try await WritingProcess.acknowledgements(["drain"] + database, killedAfter: 600_000_000)
    var identifiers: [String: Set<String>] = [:]
    var deliveryCount = 0
    for line in lines where line != "ready" {
      let parts = line.split(separator: " ").map(String.init)
      try #require(parts.count == 2)
      identifiers[parts[1], default: []].insert(parts[0])
      deliveryCount += 1
    }
    let lost = acknowledged.subtracting(identifiers.keys)
    #expect(lost.isEmpty, "\(lost.count) of \(acknowledged.count) notices are lost")
    #expect(identifiers.values.allSatisfy { $0.count == 1 })
    #expect(Set(identifiers.values.flatMap(\.self)).count == identifiers.count)
    // Kills without any delivery in progress would prove nothing.
    #expect(acknowledged.count > 50)
    print("\(acknowledged.count) acknowledged, \(deliveryCount - identifiers.count) delivered again")
  }
}

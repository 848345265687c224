// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

/// Sends modified valid requests and random bytes. Each must receive a known status or canonical CBOR, and the device
/// must continue to work.
func checkAnyParameters(_ device: TestDevice, _ command: CTAPCommand, _ requests: [TestMap]) async throws {
  let encoded = requests.map { (request) in CBORWriter.bytes(of: .map(request)) }
  for run in 0..<PropertyRuns.count(default: 400) {
    var generator = PropertyRuns.generator(run: run)
    let good = encoded.randomElement(using: &generator) ?? []
    let bytes =
      run.isMultiple(of: 5)
      ? generator.bytes(Int.random(in: 0...64, using: &generator)) : Mutation.mutated(good, using: &generator)
    do throws(CTAPError) {
      let answer = try await device.authenticator.perform(command, bytes)
      guard !answer.isEmpty else { continue }
      #expect(throws: Never.self, "run \(run)") { try CBORValue(parsing: answer, rules: .canonical) }
    } catch {
      #expect(error.status != .success && !error.status.description.hasPrefix("status"), "run \(run): \(error)")
    }
  }
}

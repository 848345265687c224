// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct StepsAndCodesTests {
  // [shown]
  /// Returns the next action for the page.
  func advice(for error: CeremonyError) -> String {
    switch error.code {
    case .expired: "begin again"
    case .authenticationUserNotVerified: "ask for the fingerprint or the PIN"
    case .registrationCredentialIDKnown: "sign in: this passkey is registered"
    default: "try another passkey"
    }
  }
  // [until here]

  @Test func `a trace has every step up to the failed one`() throws {
    let world = try CeremonyWorld()
    let relyingParty = try world.relyingParty()
    let stored = try world.credential()
    let now = CeremonyWorld.now
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: now)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    device.origin = "https://raxx.example"
    let response = try device.authentication()
    var log: [String] = []

    // [shown]
    let trace = SpecTrace()
    do {
      _ = try relyingParty.finishAuthentication(
        response, pending: begun.pending, credential: stored, at: now, trace: trace)
    } catch {
      log.append("\(error)")
      log += trace.entries.map(\.description)
    }
    // [until here]

    #expect(
      log.first == "authentication.origin-mismatch in step 12: expected https://raxx.app, received https://raxx.example"
    )
    #expect(log.contains { $0.hasPrefix("11. pass") })
    #expect(log.last?.hasPrefix("12. FAIL") == true)
    #expect(log.last?.hasSuffix("(authentication.origin-mismatch)") == true)
  }

  @Test func `a program acts on the code`() throws {
    var world = try CeremonyWorld()
    var advices: [String] = []
    do { _ = try world.authenticate { $0.flags = [.userPresent] } } catch let error as CeremonyError {
      advices.append(advice(for: error))
    }
    do { _ = try world.register(existing: .found(world.credential())) } catch let error as CeremonyError {
      advices.append(advice(for: error))
    }
    world.policy.lifetime = .seconds(-1)
    do { _ = try world.authenticate() } catch let error as CeremonyError { advices.append(advice(for: error)) }
    #expect(advices == ["ask for the fingerprint or the PIN", "sign in: this passkey is registered", "begin again"])
  }
}

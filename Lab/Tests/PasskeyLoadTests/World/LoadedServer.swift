// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyProfiles
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeySystem
import WebAuthnClient
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import PasskeyLoad

/// The project's own server in this process, with a store of its own.
final class LoadedServer: Sendable {
  private let count = Locked(0)
  private let profile: ServiceProfile
  private let server: HTTPServer

  /// Starts a server. `delay` returns for how long to delay a request, by its number.
  init(_ profile: ServiceProfile, delay: @escaping @Sendable (Int) -> Duration = { _ in .zero }) throws {
    var profile = profile
    profile.signUp.policy = .open
    self.profile = profile
    let id = try RelyingPartyID("raxx.app")
    let service = try AuthService(
      relyingParty: RelyingParty(id: id, name: "Raxx", origins: [WebOrigin("https://raxx.app")]),
      storage: try SQLiteStorage.temporary(),
      decoys: DecoyCredentials(key: SecretBytes(utf8: "thirty-two bytes for a test only"), for: id),
      policy: profile.servicePolicy)
    var limits = Endpoints.Limits()
    limits.perAddress = RateLimit(burst: 100_000, then: .milliseconds(1))
    limits.perAccount = limits.perAddress
    limits.registrationsPerAddress = limits.perAddress
    limits.signInsPerAddress = limits.perAddress
    let time = UnixTime(secondsSince1970: 1_800_000_000)
    let endpoints = Endpoints(
      service: service, profile: profile, limits: limits, clock: Endpoints.Clock(time: { _ in time }))
    let router = try EndpointRouter(endpoints.routes)
    server = try HTTPServer(HTTPServerConfiguration()) { [count] (request) in
      let number = count.withLock { (count) in
        count += 1
        return count
      }
      let delay = delay(number)
      if delay > .zero { try? await Task.sleep(for: delay) }
      return await router.respond(to: request)
    }
  }

  deinit {
    let server = server
    Task.detached { await server.stop(within: .seconds(2)) }
  }

  func target() throws -> LoadTarget {
    let address = try ServerAddress("http://127.0.0.1:\(server.port)")
    return LoadTarget(server: address, profile: profile, origin: try WebOrigin("https://raxx.app"))
  }
}

extension LoadPlan {
  /// A plan with a seed, so that a test repeats.
  static func sample(_ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
    var plan = LoadPlan()
    plan.seed = "sample"
    plan.accountCount = 3
    change(&plan)
    return plan
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyProfiles
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnClient
import WebAuthnTypes

@testable import PasskeyLoad

/// Loads on the project's own server, in this process.
@Suite struct LoadTests {
  @Test(arguments: ["raxx", "yapt", "aiday"])
  func `all operations of a profile succeed, and the accounts are deleted`(name: String) async throws {
    let profile = try #require(ServiceProfile.builtIn.first { $0.name == name })
    let server = try LoadedServer(profile)
    let target = try server.target()
    let operations = LoadOperation.allCases.filter { (operation) in
      switch operation {
      case .stepUp: profile[.stepUpOptions] != nil
      case .refresh: profile.sessions.refresh != nil
      default: true
      }
    }
    let plan = LoadPlan.sample { (plan) in
      plan.model = .closed
      plan.phases = [.init(from: 4, to: 4, seconds: 1)]
      plan.mix = operations.map { .init($0, 1) }
    }
    let erases = profile[.eraseAccount] != nil
    try await waiting {
      let load = try Load(target, plan)
      let prepared = try load.prepare(plan.accountCount)
      #expect(prepared.failures.isEmpty && load.accountCount == 3)
      // A slow machine may need several runs for all kinds.
      var done: Set<LoadOperation> = []
      let isComplete = HangGuard.waits {
        let figures = load.run(plan)
        #expect(figures.total.failures == [:])
        done.formUnion(figures.operations.filter { $0.value.successCount > 0 }.keys)
        return done.isSuperset(of: operations)
      }
      #expect(isComplete, "\(done)")
      let losses = load.verify()
      #expect(losses.isEmpty && losses.checkedAccounts == load.accountCount)
      let removed = load.cleanUp()
      if erases {
        #expect(removed.failures == [:] && load.accountCount == 0)
      } else {
        #expect(removed.failures.keys.elementsEqual(["client.endpoint-missing"]))
      }
    }
  }

  @Test func `a load sends values of a ceremony back`() async throws {
    let text = #"""
      {"name":"shop","extends":"raxx","shapes":{"begun":{"flow":"$ceremony.flow","o":"$options"},
        "end":{"flow":"$ceremony.flow","credential":"$credential"}},
       "endpoints":{
        "register-options":{"response":{"$shape":"begun"}},"register-verify":{"request":{"$shape":"end"}},
        "sign-in-options":{"response":{"$shape":"begun"}},"sign-in-verify":{"request":{"$shape":"end"}},
        "step-up-options":{"response":{"$shape":"begun"}},"step-up-verify":{"request":{"$shape":"end"}}}}
      """#
    let server = try LoadedServer(try ServiceProfile(json: Array(text.utf8)))
    let served = try server.target()
    // A field that the server ignores: no profile of a server has one.
    let field = try ServiceProfile(
      json: Array(
        #"""
        {"name":"a","values":{"v":{"header":"content-type","from":"GET /healthz"}},
         "headers":{"send":{"x-flow":"$value.v"}},"endpoints":{"me":"GET /me"}}
        """#.utf8))
    var profile = served.profile
    (profile.values, profile.headers.sent) = (field.values, field.headers.sent)
    let target = LoadTarget(server: served.server, profile: profile, origin: served.origin)
    let plan = LoadPlan.sample { (plan) in
      // A rate: as many as possible would exceed the sessions of an account on a fast machine.
      plan.phases = [.init(from: 10, to: 10, seconds: 1)]
      plan.mix = [.init(.signIn, 1), .init(.stepUp, 1)]
    }
    try await waiting {
      let load = try Load(target, plan)
      #expect(try load.prepare(plan.accountCount).failures.isEmpty)
      var done: Set<LoadOperation> = []
      let isComplete = HangGuard.waits {
        let figures = load.run(plan)
        #expect(figures.total.failures == [:])
        done.formUnion(figures.operations.filter { $0.value.successCount > 0 }.keys)
        return done.count == 2
      }
      #expect(isComplete)
      #expect(load.cleanUp().failures == [:] && load.accountCount == 0)
    }
  }

  @Test func `an account that the server has lost is reported, and an ended session is not`() async throws {
    let server = try LoadedServer(.raxx)
    let target = try server.target()
    let plan = LoadPlan.sample { (plan) in
      plan.model = .closed
      plan.phases = [.init(from: 1, to: 1, seconds: 0.2)]
      plan.mix = [.init(.signOut, 1)]
    }
    try await waiting {
      let load = try Load(target, plan)
      try load.prepare(plan.accountCount)
      _ = load.run(plan)
      let other = try Load(target, plan)
      try other.prepare(1, exist: true)
      #expect(other.cleanUp().failures == [:])
      let losses = load.verify()
      #expect(losses.accounts.map(\.code) == ["sign-in.refused"])
      #expect(losses.endedSessions == 0 && losses.unknown == 0 && losses.checkedEndedSessions > 0)
      #expect(!losses.isEmpty)
    }
  }

  @Test func `completed ceremonies are sent again, and the server refuses them`() async throws {
    let server = try LoadedServer(.raxx)
    let target = try server.target()
    let plan = LoadPlan.sample { (plan) in
      plan.model = .closed
      plan.phases = [.init(from: 2, to: 2, seconds: 0.2)]
      plan.mix = [.init(.register, 1), .init(.signIn, 1), .init(.stepUp, 1)]
    }
    try await waiting {
      let load = try Load(target, plan)
      load.repeatCompletedCeremonies()
      try load.prepare(plan.accountCount)
      let hasRepeated = HangGuard.waits {
        #expect(load.run(plan).total.failures == [:])
        return load.verify().repetitions > 2
      }
      #expect(hasRepeated)
      let losses = load.verify()
      #expect(losses.acceptedRepetitions == 0 && losses.isEmpty)
    }
  }

  @Test func `a load without a server creates no account`() async throws {
    let address = try ServerAddress("http://127.0.0.1:1")
    let target = LoadTarget(server: address, profile: .raxx, origin: address.origin)
    try await waiting {
      let load = try Load(target, .sample())
      let error = #expect(throws: LoadError.self) { try load.prepare(2) }
      #expect(error?.code == .noAccounts && error?.detail == "client.unreachable")
    }
  }

  @Test func `latencies count from the intended start, so a stall delays the operations behind it`() async throws {
    let server = try LoadedServer(.raxx, delay: { $0.isMultiple(of: 10) ? .milliseconds(100) : .zero })
    let target = try server.target()
    let plan = LoadPlan.sample { (plan) in
      plan.maximumConcurrency = 1
      plan.phases = [.init(from: 100, to: 100, seconds: 1)]
      plan.mix = [.init(.request, 1)]
    }
    try await waiting {
      let load = try Load(target, plan)
      try load.prepare(1)
      let figures = load.run(plan)
      #expect(figures.total.corrected.mean > figures.total.uncorrected.mean)
      #expect(figures.limitedCount > 0)
    }
  }

  /// Repeats, because a busy machine delays either side.
  @Test func `the 99th percentile of sign-ins agrees with the measurement of the server within 5 percent`() async throws
  {
    let server = try NullServer(delay: { $0.isMultiple(of: 20) ? 600 : 40 })
    let address = try ServerAddress("http://127.0.0.1:\(server.port)")
    let target = LoadTarget(server: address, profile: .raxx, origin: try WebOrigin("https://raxx.app"))
    let plan = LoadPlan.sample { $0.phases = [.init(from: 50, to: 50, seconds: 2)] }
    let agrees = try await waiting {
      let load = try Load(target, plan)
      try load.prepare(plan.accountCount, exist: true)
      return HangGuard.waits {
        server.reset()
        let figures = load.run(plan)
        let count = figures.total.successCount
        // The server notes a sign-in after its last byte.
        #expect(figures.total.failures == [:] && HangGuard.waits { server.current.signIns.count >= count })
        let others = server.current.signIns.sorted()
        #expect(count == others.count)
        guard let last = others.last, let p99 = others.dropLast(others.count / 100).last else { return false }
        // The server's interval lies within that of the client, unless its thread has to wait after the last byte.
        let own = figures.total.corrected
        guard Double(own.quantile(0.99)) >= p99 * 0.999, Double(own.maximum) >= last * 0.999 else { return false }
        return Double(own.quantile(0.99)) <= p99 * 1.05
      }
    }
    #expect(agrees)
  }

  @Test func `a stopped load reports what it has measured`() async throws {
    let server = try LoadedServer(.raxx)
    let target = try server.target()
    let plan = LoadPlan.sample { $0.phases = [.init(from: 20, to: 20, seconds: 600)] }
    try await waiting {
      let counter = Counter()
      let load = try Load(target, plan, isStopped: { counter.isOver })
      try load.prepare(1)
      let figures = load.run(plan) { _ in counter.isOver = true }
      #expect(figures.wasStopped && figures.seconds.count >= 1 && figures.total.successCount > 0)
    }
  }

  @Test func `a plan needs its endpoints`() throws {
    var profile = ServiceProfile.raxx
    profile.endpoints[.stepUpOptions] = nil
    let address = try ServerAddress("http://127.0.0.1:1")
    let target = LoadTarget(server: address, profile: profile, origin: address.origin)
    let plan = LoadPlan.sample { $0.mix = [.init(.stepUp, 1)] }
    #expect(throws: LoadError(.endpointMissing, "the profile raxx has no step-up-options")) {
      try Load(target, plan)
    }
  }
}

/// Shared by the callbacks of one thread.
private final class Counter {
  var isOver = false
}

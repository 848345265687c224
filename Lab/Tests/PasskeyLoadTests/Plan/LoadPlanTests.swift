// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyLoad

@Suite struct LoadPlanTests {
  private static let complete = """
    {"model": "open", "arrivals": "poisson", "accounts": 50, "seed": "s", "connections": 8, "keepAlive": false,
     "thinkSeconds": 0.5, "mix": {"sign-in": 3, "step-up": 1.5},
     "phases": [{"seconds": 2, "from": 0, "to": 10, "measured": false}, {"seconds": 3, "rate": 10}],
     "objectives": ["p99 < 50ms"], "request": {"method": "POST", "path": "/api/orders"}}
    """

  @Test func `a plan has every member of its file`() throws {
    let plan = try LoadPlan(json: Array(Self.complete.utf8)[...])
    #expect(plan.arrivals == .poisson && plan.accountCount == 50 && plan.seed == "s" && !plan.keepsConnections)
    #expect(plan.maximumConcurrency == 8 && plan.thinkSeconds == 0.5)
    #expect(plan.mix == [.init(.signIn, 3), .init(.stepUp, 1.5)])
    #expect(
      plan.phases == [
        .init(from: 0, to: 10, seconds: 2, isMeasured: false), .init(from: 10, to: 10, seconds: 3),
      ])
    #expect(plan.objectives.map(\.description) == ["p99<50ms"])
    #expect(plan.request == .init(method: "POST", path: "/api/orders"))
    #expect(plan.seconds == 5 && plan.highestLevel == 10)
  }

  @Test(arguments: [
    "[]", "{", #"{"model":"half"}"#, #"{"dance":1}"#, #"{"mix":{"dance":1}}"#, #"{"mix":{"sign-in":-1}}"#,
    #"{"mix":{}}"#, #"{"phases":[]}"#, #"{"phases":[{"rate":5}]}"#, #"{"phases":[{"seconds":5}]}"#,
    #"{"phases":[{"seconds":5,"clients":5}]}"#, #"{"model":"closed","phases":[{"seconds":5,"rate":5}]}"#,
    #"{"phases":[{"seconds":0,"rate":5}]}"#, #"{"phases":[{"seconds":5,"rate":0}]}"#,
    #"{"phases":[{"seconds":5,"rate":1e300}]}"#, #"{"accounts":0}"#, #"{"accounts":1.5}"#, #"{"connections":0}"#,
    #"{"keepAlive":1}"#, #"{"request":{"path":"x"}}"#, #"{"objectives":"p99<1s"}"#, #"{"seed":5}"#,
  ])
  func `a malformed plan is refused`(text: String) {
    let error = #expect(throws: LoadError.self) { try LoadPlan(json: Array(text.utf8)[...]) }
    #expect(error?.code == .invalidPlan)
  }

  @Test func `a changed plan is read or refused, and a plan that is read has a schedule`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var bytes = Array(Self.complete.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
      }
      guard let plan = try? LoadPlan(json: bytes[...]) else { continue }
      var schedule = ArrivalSchedule(plan.phases, plan.arrivals, SeededNumbers(seed: plan.seed, label: "test"))
      var last = 0.0
      for _ in 0..<200 {
        guard let next = schedule.next() else { break }
        #expect(next.seconds >= last && next.seconds <= plan.seconds)
        last = next.seconds
      }
    }
  }

  @Test func `a constant rate starts operations at equal distances, and a ramp at falling ones`() {
    func starts(_ phases: [LoadPlan.Phase], _ arrivals: LoadPlan.Arrivals = .constant) -> [Double] {
      var schedule = ArrivalSchedule(phases, arrivals, SeededNumbers(seed: "1", label: "test"))
      var starts: [Double] = []
      while let next = schedule.next() { starts.append(next.seconds) }
      return starts
    }
    let constant = starts([.init(from: 10, to: 10, seconds: 2)])
    #expect(constant.count == 20)
    for (start, number) in zip(constant, 1...) { #expect(abs(start - Double(number) / 10) < 1e-9) }
    let ramp = starts([.init(from: 0, to: 20, seconds: 10), .init(from: 20, to: 0, seconds: 10)])
    #expect(ramp.count == 200 && abs(ramp[99] - 10) < 1e-6)
    let distances = zip(ramp, ramp.dropFirst()).prefix(98).map { $1 - $0 }
    #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 > $1 })
    let poisson = starts([.init(from: 1_000, to: 1_000, seconds: 10)], .poisson)
    #expect(9_000...11_000 ~= poisson.count && zip(poisson, poisson.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func `an objective compares the right value`() throws {
    var figures = OperationFigures()
    for value in 1...100 { figures.record(corrected: Int64(value) * 1_000, uncorrected: 1) }
    let cases: [(String, Bool)] = [
      ("p50<51ms", true), ("p50<50ms", false), ("p99 < 100ms", true), ("mean<51ms", true), ("max<100ms", false),
      ("max<0.2s", true), ("max<=100ms", true), ("max<=99.9ms", false), ("errors<1%", true),
      ("sign-in:p90<91000us", true),
    ]
    for (text, holds) in cases {
      let objective = try Objective(text)
      #expect(objective.holds(objective.value(in: figures)) == holds, "\(text)")
    }
    #expect(try Objective("errors <= 1%").description == "errors<=1%")
    // A failure counts as longer than any success.
    for _ in 0..<2 { figures.record(failure: "http.500") }
    let p99 = try Objective("p99<10s")
    #expect(!p99.holds(p99.value(in: figures)))
    #expect(try Objective("errors<2%").value(in: figures) == 2.0 / 102)
    #expect(!p99.holds(p99.value(in: OperationFigures())))
  }

  @Test(arguments: [
    "", "p99", "p99>5ms", "p99<5", "p99<ms", "p100<5ms", "p0<5ms", "errors<5ms", "dance:p99<5ms", "p99<-5ms", "p99<5%",
    "p99<5ms<6ms", "p99=<5ms", "p99<==5ms", "p99<nan ms", "p99<infms",
  ])
  func `a malformed objective is refused`(text: String) {
    let error = #expect(throws: LoadError.self) { try Objective(text) }
    #expect(error?.code == .invalidObjective)
  }
}

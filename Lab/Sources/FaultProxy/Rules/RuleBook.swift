// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// The rules of a proxy, with the number of matches of each.
final class RuleBook: Sendable {
  private struct State {
    var rules: [(rule: FaultRule, count: Int)] = []
    var happened = 0
  }

  private let state: Locked<State>

  init(_ rules: [FaultRule]) {
    state = Locked(State(rules: rules.map { ($0, 0) }))
  }

  func add(_ rule: FaultRule) {
    state.withLock { (state) in state.rules.append((rule, 0)) }
  }

  /// The number of faults that have happened.
  var happened: Int { state.withLock { (state) in state.happened } }

  /// The faults for a request, which counts as a match of each of their rules.
  func faults(method: String, path: String) -> [FaultRule] {
    faults { $0.matches(method: method, path: path) }
  }

  /// The faults for a chunk of bytes, which counts as a match of each of their rules.
  func faults(in chunk: [UInt8]) -> [FaultRule] {
    faults { $0.matches(chunk) }
  }

  private func faults(where isMatch: (FaultRule.Match) -> Bool) -> [FaultRule] {
    state.update { (state) in
      var faults: [FaultRule] = []
      for index in state.rules.indices where isMatch(state.rules[index].rule.match) {
        state.rules[index].count += 1
        let (rule, count) = state.rules[index]
        if rule.occurrence ?? count == count { faults.append(rule) }
      }
      state.happened += faults.count
      return faults
    }
  }
}

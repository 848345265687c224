// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnInspection

/// The verdicts of this verifier and of other implementations on the same cases.
struct Comparison {
  let implementations: [AdapterDescription]
  let cases: [ComparedCase]

  /// Judges the cases.
  init(of recorded: [VerificationCase], with adapters: [Adapter], now: UnixTime) throws(CommandFailure) {
    let verdicts = recorded.map { CaseVerdict(of: $0, now: now) }
    let sent = zip(recorded, verdicts).map { (recorded, verdict) in
      let today = CaseVerdict(of: recorded.moved(to: now), now: now)
      let dependsOnTime =
        today.refusal?.code != verdict.refusal?.code || today.refusal?.causes != verdict.refusal?.causes
      return AdapterCase(recorded, dependsOnTime: dependsOnTime)
    }
    let opinions = try Adapter.judge(sent, with: adapters)
    implementations = opinions.map(\.implementation)
    cases = zip(recorded, verdicts).enumerated().map { (index, judged) in
      ComparedCase(recorded: judged.0, verdict: judged.1, others: opinions.map { $0.verdicts[index] })
    }
  }

  /// The counts for each implementation.
  var tallies: [ComparisonTally] {
    implementations.indices.map { (index) in
      var tally = ComparisonTally()
      for compared in cases { tally.count(compared.relation(of: compared.others[index])) }
      return tally
    }
  }

  var disputed: [ComparedCase] { cases.filter(\.isDisputed) }

  /// The cases that an implementation fails to refuse with a documented error.
  var crashed: [ComparedCase] { cases.filter(\.hasCrash) }

  /// The table of disagreements, then one line for each implementation.
  func text(isExplained: Bool, width: Int?) -> String {
    let disputed = disputed
    var text = ""
    if !disputed.isEmpty {
      let head = ["case"] + implementations.map(\.name) + ["passkey"]
      let rows = disputed.map { (compared) in
        [compared.recorded.id] + compared.others.map(\.kind.verb) + [compared.ownVerdict]
      }
      text += TextTable(rows: ([head] + rows).map { $0.map(\.escapedForTerminal) }, width: width).text + "\n"
    }
    if isExplained {
      for compared in cases where compared.isDisputed || compared.hasCrash {
        text += "\(compared.recorded.id.escapedForTerminal): \(compared.ownVerdict)\n"
        for (implementation, other) in zip(implementations, compared.others) {
          let reason = other.reason.map { ": \($0)" } ?? ""
          text += "  \("\(implementation.name): \(other.kind.rawValue)\(reason)".escapedForTerminal)\n"
        }
      }
      text += "\n"
    }
    for (implementation, tally) in zip(implementations, tallies) {
      let runtime = implementation.runtime.map { ", \($0)" } ?? ""
      text += "\("\(implementation.title)\(runtime)".escapedForTerminal): \(tally.description)\n"
    }
    return text
  }

  /// A line for each implementation, then one for each case.
  var json: [UInt8] {
    let lines = implementations.map { (implementation) in
      JSON.writeObject { (object) in
        object.write("implementation", .string(implementation.name))
        object.write("version", .string(implementation.version))
        object.write("runtime", .text(implementation.runtime))
      } + [UInt8(ascii: "\n")]
    }
    return (lines + cases.map { $0.json(implementations) }).flatMap { $0 }
  }
}

extension ComparisonTally: CustomStringConvertible {
  var description: String {
    "\(agreements) agree, \(disagreements) disagree, \(crashes) crash, \(unsupported) unsupported"
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands
internal import PasskeyFormats
internal import PasskeySystem

/// A program that verifies cases with another implementation. `Lab/Documentation/Adapters.md` describes the protocol.
struct Adapter: Sendable {
  /// The program or command, for messages.
  let title: String

  /// How long it may take for one case.
  let timeLimit: Duration

  private let command: String

  private static let hello = [UInt8]("{\"hello\":1}\n".utf8)

  /// The adapter that a shell command runs.
  init(command: String, timeLimit: Duration) {
    title = command
    self.command = command
    self.timeLimit = timeLimit
  }

  /// The adapter with a name: the program `passkey-adapter-NAME` in `PATH`.
  ///
  /// - Returns: Nil if the name cannot be a part of the name of a program.
  init?(named name: String, timeLimit: Duration) {
    let isName = name.utf8.allSatisfy { (byte) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty else { return nil }
    title = "passkey-adapter-\(name)"
    command = "exec \(title)"
    self.timeLimit = timeLimit
  }

  /// How long it may take to start.
  private var startLimit: Duration { timeLimit * 6 }

  /// Judges the cases, one after the other. Starts the program again after each crash.
  ///
  /// - Throws: A failure if the program cannot be started or does not say what it can do.
  func judge(_ cases: [AdapterCase]) throws(CommandFailure) -> AdapterOpinions {
    var (process, description) = try start()
    var verdicts: [AdapterVerdict] = []
    for recorded in cases {
      if let missing = recorded.needs.first(where: { !description.abilities.contains($0) }) {
        verdicts.append(AdapterVerdict(.unsupported, reason: "it has no parameter for \(missing)"))
        continue
      }
      do throws(AdapterProcess.Failure) {
        let answer = try process.answer(to: recorded.line, within: timeLimit)
        guard let verdict = AdapterVerdict(answer, to: recorded.id) else {
          throw AdapterProcess.Failure.garbage(Array(answer.encoded))
        }
        verdicts.append(verdict)
      } catch {
        process.end(within: .zero)
        verdicts.append(AdapterVerdict(.crashed, reason: error.description))
        (process, description) = try start()
      }
    }
    process.end(within: startLimit)
    return AdapterOpinions(implementation: description, verdicts: verdicts)
  }

  private func start() throws(CommandFailure) -> (AdapterProcess, AdapterDescription) {
    let reason: String
    do throws(AdapterProcess.Failure) {
      var process = try AdapterProcess(command)
      do throws(AdapterProcess.Failure) {
        let answer = try process.answer(to: Self.hello, within: startLimit)
        guard let description = AdapterDescription(answer) else {
          throw AdapterProcess.Failure.garbage(Array(answer.encoded))
        }
        return (process, description)
      } catch {
        process.end(within: .zero)
        throw error
      }
    } catch {
      reason = error.description
    }
    throw .inputOutput(
      "the adapter \(title.quotedForTerminal) does not work: \(reason)",
      hint: "--against NAME runs passkey-adapter-NAME from PATH; Lab/Documentation/Adapters.md describes adapters")
  }
}

/// The verdicts of an implementation on the cases, in their order.
struct AdapterOpinions: Sendable {
  let implementation: AdapterDescription
  let verdicts: [AdapterVerdict]
}

extension Adapter {
  /// Judges the cases with all adapters at the same time, on a thread for each.
  static func judge(_ cases: [AdapterCase], with adapters: [Adapter]) throws(CommandFailure) -> [AdapterOpinions] {
    let results = Locked<[Int: Result<AdapterOpinions, CommandFailure>]>([:])
    for (index, adapter) in adapters.enumerated() {
      let isStarted = SystemThread.start {
        let result = Result { () throws(CommandFailure) in try adapter.judge(cases) }
        results.update { (results) in results[index] = result }
      }
      guard isStarted else { throw .inputOutput("cannot start a thread") }
    }
    let all = results.wait { (results) in results.count == adapters.count ? results : nil }
    var opinions: [AdapterOpinions] = []
    for index in adapters.indices {
      if let result = all[index] { opinions.append(try result.get()) }
    }
    return opinions
  }
}

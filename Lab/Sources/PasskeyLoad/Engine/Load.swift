// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import WebAuthnClient

/// A load on a server: creates accounts, runs plans, checks what the server acknowledged, and deletes the accounts.
///
/// Everything runs on the calling thread, which has to be the same for all calls.
package final class Load {
  /// The progress of a step that handles many accounts.
  package struct Progress: Sendable {
    /// The accounts that are done.
    package var count = 0
    /// All accounts.
    package var total = 0
    /// The number of failures for each code.
    package var failures: [String: Int] = [:]
  }

  /// The acknowledged facts that the server does not know any more.
  package struct Losses: Sendable {
    /// The checked accounts and sessions.
    package internal(set) var checkedAccounts = 0
    package internal(set) var checkedSessions = 0
    package internal(set) var checkedEndedSessions = 0
    /// Accounts whose registration was acknowledged and that cannot sign in, with the code of the failure.
    package internal(set) var accounts: [(name: String, code: String)] = []
    /// Open sessions that are refused.
    package internal(set) var sessions = 0
    /// Sessions that work although their end was acknowledged.
    package internal(set) var endedSessions = 0
    /// Completed ceremonies that were sent again, and those of them that the server accepted.
    package internal(set) var repetitions = 0
    package internal(set) var acceptedRepetitions = 0
    /// Checks without a reply.
    package internal(set) var unknown = 0

    /// Whether nothing was lost or accepted twice, and every check had a reply.
    package var isEmpty: Bool {
      accounts.isEmpty && sessions == 0 && endedSessions == 0 && acceptedRepetitions == 0 && unknown == 0
    }
  }

  package let target: LoadTarget
  private let world: LoadWorld
  private let isStopped: () -> Bool

  // 16 [more would measure the server's queue; set-up needs only its throughput]
  private static let concurrency = 16

  /// Creates a load. Sends nothing yet.
  ///
  /// - Parameters:
  ///   - target: The server.
  ///   - plan: The plan, whose seed and number of accounts are used.
  ///   - isStopped: Returns whether to stop early. Called often.
  ///   - limited: Called at the first response with status 429.
  /// - Throws: `load.invalid-plan`, `load.endpoint-missing` or `load.library-unusable`.
  package init(
    _ target: LoadTarget, _ plan: LoadPlan, isStopped: @escaping () -> Bool = { false },
    limited: @escaping () -> Void = {}
  ) throws(LoadError) {
    try plan.check()
    try target.check(plan)
    self.target = target
    self.isStopped = isStopped
    world = try LoadWorld(target, plan)
    world.client.limited = limited
  }

  /// The number of accounts that the server has acknowledged and that were not deleted.
  package var accountCount: Int { world.accounts.count }

  /// The number of open sessions.
  package var sessionCount: Int { world.sessions.count }

  /// Creates the accounts of a plan.
  ///
  /// - Parameters:
  ///   - count: The number of accounts.
  ///   - exist: Whether an earlier run with the same seed has created and kept them.
  ///   - step: The distance between the numbers of accounts that exist. [A few of many accounts.]
  ///   - observe: Called after each account.
  /// - Returns: The number of failures for each code.
  /// - Throws: `load.no-accounts` if the server created none.
  @discardableResult
  package func prepare(
    _ count: Int, exist: Bool = false, every step: Int = 1, observe: (Progress) -> Void = { _ in }
  ) throws(LoadError) -> Progress {
    if exist {
      for _ in 0..<count { world.accounts.append(try world.newAccount(advancing: step)) }
      return Progress(count: count, total: count)
    }
    let progress = batch(count, observe) { [world] (_, then) in world.register(isMeasured: false, then: then) }
    guard accountCount > 0 || isStopped() else {
      throw LoadError(.noAccounts, progress.failures.max { $0.value < $1.value }?.key ?? "no reply")
    }
    return progress
  }

  /// Runs the phases of a plan.
  package func run(_ plan: LoadPlan, observe: @escaping (LoadSnapshot) -> Void = { _ in }) -> LoadFigures {
    LoadRun(world, plan, observe: observe, isStopped: isStopped).run()
  }

  /// Sends completed ceremonies again from now on, for ``verify(observe:)``. A profile whose ceremonies are bound to a
  /// cookie has none: each reply replaces the cookie.
  package func repeatCompletedCeremonies() {
    if case .bearer = target.profile.presentation { world.client.repetitions = Repetitions() }
  }

  /// Checks that the server still knows what it has acknowledged: accounts, open sessions and ended sessions.
  package func verify(observe: (Progress) -> Void = { _ in }) -> Losses {
    var losses = Losses()
    let client = world.client
    // Before new sign-ins: a server may limit the sessions of an account.
    let now = LoadClock.now
    let (open, ended) = (world.sessions.filter { $0.expiry > now }, world.endedSessions.filter { $0.expiry > now })
    if target.profile[.me] != nil, target.profile.presentation != .nothing {
      losses.checkedSessions = open.count
      losses.checkedEndedSessions = ended.count
      batch(open.count, { _ in }) { (index, then) in
        client.send(.me, from: .init(open[index], isMeasured: false)) { (result) in
          if case .failure(let fault) = result {
            if fault.status == 401 || fault.status == 403 { losses.sessions += 1 } else { losses.unknown += 1 }
          }
          then(.success(()))
        }
      }
      batch(ended.count, { _ in }) { (index, then) in
        client.send(.me, from: .init(ended[index], isMeasured: false)) { (result) in
          switch result {
          case .success: losses.endedSessions += 1
          case .failure(let fault): if fault.status == 0 || fault.status >= 500 { losses.unknown += 1 }
          }
          then(.success(()))
        }
      }
    }
    let accounts = world.accounts
    losses.checkedAccounts = accounts.count
    batch(accounts.count, observe) { (index, then) in
      client.signIn(accounts[index], isMeasured: false) { (result) in
        if case .failure(let fault) = result {
          let isReply = fault.status > 0 && fault.status < 500 && fault.status != 429
          if isReply { losses.accounts.append((accounts[index].names.name ?? "", fault.code)) }
          if !isReply { losses.unknown += 1 }
        }
        then(.success(()))
      }
    }
    losses.repetitions = client.repetitions?.repliedCount ?? 0
    losses.acceptedRepetitions = client.repetitions?.acceptedCount ?? 0
    return losses
  }

  /// Deletes the accounts. Returns the number of deleted ones, and the failures.
  package func cleanUp(observe: (Progress) -> Void = { _ in }) -> Progress {
    guard target.profile[.eraseAccount] != nil else {
      return Progress(total: accountCount, failures: [ClientError.Code.endpointMissing.rawValue: accountCount])
    }
    let accounts = world.accounts
    let client = world.client
    let erased = Erased()
    let progress = batch(accounts.count, observe) { (index, then) in
      let account = accounts[index]
      client.signIn(account, isMeasured: false) { (result) in
        switch result {
        case .failure(let fault): then(.failure(fault))
        case .success(let session):
          client.erase(session) { (result) in
            if case .success = result { erased.numbers.insert(account.number) }
            then(result)
          }
        }
      }
    }
    world.accounts.removeAll { erased.numbers.contains($0.number) }
    return progress
  }

  /// The numbers of deleted accounts, shared by the callbacks of a batch.
  private final class Erased {
    var numbers: Set<Int> = []
  }

  /// Performs some operations at a time until all are done. Returns the failures.
  @discardableResult
  private func batch(
    _ count: Int, _ observe: (Progress) -> Void,
    _ perform: (Int, @escaping (Result<Void, LoadFault>) -> Void) -> Void
  ) -> Progress {
    let state = BatchState()
    state.progress.total = count
    var next = 0
    var seen = 0
    while state.progress.count < count {
      while next < count, next - state.progress.count < Self.concurrency, !isStopped() {
        perform(next) { (result) in
          state.progress.count += 1
          if case .failure(let fault) = result { state.progress.failures[fault.code, default: 0] += 1 }
        }
        next += 1
      }
      if isStopped(), state.progress.count == next { break }
      world.client.advance(until: LoadClock.now + 100_000_000)
      if state.progress.count > seen { observe(state.progress) }
      seen = state.progress.count
    }
    return state.progress
  }

  /// Shared by the callbacks of a batch.
  private final class BatchState {
    var progress = Progress()
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import WebAuthnClient

/// The accounts and sessions of a load, and what the server has acknowledged about them.
final class LoadWorld {
  let client: LoadClient
  private let factory: AccountFactory
  private let request: LoadPlan.Request
  /// Whether ``request`` is the profile's `me`, which the figures name so.
  private let asksForMe: Bool
  private var numbers: SeededNumbers
  private var nextNumber = 0

  /// The accounts whose registration the server has acknowledged.
  var accounts: [LoadAccount] = []

  /// The open sessions that no running operation ends or renews.
  private(set) var sessions: [LoadSession] = []

  /// Sessions whose end the server has acknowledged.
  private(set) var endedSessions: [LoadSession] = []

  init(_ target: LoadTarget, _ plan: LoadPlan) throws(LoadError) {
    client = try LoadClient(target, keepsConnections: plan.keepsConnections)
    factory = try AccountFactory(seed: plan.seed, plan.population, for: target.profile.identifiers)
    numbers = SeededNumbers(seed: plan.seed, label: "operations")
    asksForMe = plan.request == nil
    let me = target.profile[.me]
    request = plan.request ?? .init(method: me?.method ?? "GET", path: me?.path ?? "/")
  }

  // 20,000 [a session has some hundred bytes; the server keeps the others too]
  private static let maximumSessionCount = 20_000

  /// Returns the next account that has not been registered, and advances to a later number.
  func newAccount(advancing step: Int = 1) throws(LoadError) -> LoadAccount {
    defer { nextNumber += step }
    return try factory.account(nextNumber)
  }

  /// Performs an operation and reports its outcome.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - session: The session for an operation that needs one.
  ///   - isMeasured: Whether the requests count.
  ///   - then: Receives the outcome.
  func perform(
    _ operation: LoadOperation, in session: LoadSession?, isMeasured: Bool,
    then: @escaping (Result<Void, LoadFault>) -> Void
  ) {
    switch (operation, session) {
    case (.register, _): register(isMeasured: isMeasured, then: then)
    case (.signIn, _): signIn(isMeasured: isMeasured) { (result) in then(result.map { _ in }) }
    case (_, nil): then(.failure(LoadFault(LoadError.Code.noSession.rawValue)))
    case (.request, let session?), (.stepUp, let session?):
      session.useCount += 1
      use(session, operation, isMeasured: isMeasured) { [unowned self] (result) in
        session.useCount -= 1
        if case .failure(let fault) = result, fault.status == 401 { forget(session) }
        then(result)
      }
    case (.refresh, let session?):
      forget(session)
      client.refresh(session, isMeasured: isMeasured) { [unowned self] (result) in
        // If the outcome is unknown, so is the validity of the tokens.
        if case .success = result { keep(session) }
        then(result)
      }
    case (.signOut, let session?):
      forget(session)
      client.signOut(session, isMeasured: isMeasured) { [unowned self] (result) in
        if case .success = result, endedSessions.count < Self.maximumSessionCount { endedSessions.append(session) }
        then(result)
      }
    }
  }

  /// Sends a request in a session, or confirms one.
  private func use(
    _ session: LoadSession, _ operation: LoadOperation, isMeasured: Bool,
    then: @escaping (Result<Void, LoadFault>) -> Void
  ) {
    if operation == .stepUp {
      return client.stepUp(request, in: session, isMeasured: isMeasured) { (result) in then(result.map { _ in }) }
    }
    let caller = LoadClient.Caller(session, isMeasured: isMeasured)
    if asksForMe {
      client.send(.me, from: caller) { (result) in then(result.map { _ in }) }
    } else {
      client.send(request, from: caller) { (result) in then(result.map { _ in }) }
    }
  }

  /// Registers a new account.
  func register(isMeasured: Bool, then: @escaping (Result<Void, LoadFault>) -> Void) {
    let account: LoadAccount
    do throws(LoadError) {
      account = try newAccount()
    } catch {
      return then(.failure(LoadFault(error.code.rawValue)))
    }
    client.register(account, isMeasured: isMeasured) { [unowned self] (result) in
      if case .success(let session) = result {
        accounts.append(account)
        if let session { keep(session) }
      }
      then(result.map { _ in })
    }
  }

  /// Signs in as a random account.
  func signIn(isMeasured: Bool, then: @escaping (SessionResult) -> Void) {
    guard let account = accounts.randomElement(using: &numbers) else {
      return then(.failure(LoadFault(LoadError.Code.noAccounts.rawValue)))
    }
    client.signIn(account, isMeasured: isMeasured) { [unowned self] (result) in
      if case .success(let session) = result { keep(session) }
      then(result)
    }
  }

  /// Returns a random number below a limit.
  func random(below limit: Double) -> Double { numbers.unit() * limit }
}

extension LoadWorld {
  /// Keeps a session for later operations.
  private func keep(_ session: LoadSession) {
    if sessions.count < Self.maximumSessionCount {
      sessions.append(session)
    } else {
      sessions[Int.random(in: sessions.indices, using: &numbers)] = session
    }
  }

  /// Returns a random session that an operation can use; nil if it has to sign in first.
  func session(for operation: LoadOperation) -> LoadSession? {
    let now = LoadClock.now
    // 8 [with more busy sessions than that, another sign-in is cheaper than a search]
    var attempts = 8
    while operation.needsSession, attempts > 0, !sessions.isEmpty {
      let index = Int.random(in: sessions.indices, using: &numbers)
      let session = sessions[index]
      if session.expiry <= now {
        remove(index)
      } else if session.useCount == 0 || !operation.needsOwnSession {
        return session
      } else {
        attempts -= 1
      }
    }
    return nil
  }

  private func forget(_ session: LoadSession) {
    if let index = sessions.firstIndex(where: { $0 === session }) { remove(index) }
  }

  private func remove(_ index: Int) {
    sessions.swapAt(index, sessions.count - 1)
    sessions.removeLast()
  }
}

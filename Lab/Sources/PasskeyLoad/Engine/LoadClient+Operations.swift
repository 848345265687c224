// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import WebAuthnClient
internal import WebAuthnTypes

/// The result of an operation that opens a session.
typealias SessionResult = Result<LoadSession, LoadFault>

extension LoadClient {
  /// Creates an account. The result has no session if the server opens none.
  func register(
    _ account: LoadAccount, isMeasured: Bool, then: @escaping (Result<LoadSession?, LoadFault>) -> Void
  ) {
    let caller = Caller(isMeasured: isMeasured)
    send(.registerOptions, names(of: account, for: .registerOptions), from: caller) { [unowned self] (result) in
      let response = result.flatMap { (begun) in answer(begun) { try signer.registration($0, account) } }
      finish(.registerVerify, response, account, caller) { [unowned self] (result) in
        then(
          result.flatMap { (values) in
            // The account does not exist until the address is verified.
            values.text(.verificationToken) == nil
              ? .success(session(values, account, caller))
              : .failure(LoadFault(LoadError.Code.addressUnverified.rawValue))
          })
      }
    }
  }

  /// Signs in.
  func signIn(_ account: LoadAccount, isMeasured: Bool, then: @escaping (SessionResult) -> Void) {
    let caller = Caller(isMeasured: isMeasured)
    send(.signInOptions, names(of: account, for: .signInOptions), from: caller) { [unowned self] (result) in
      let response = result.flatMap { (begun) in answer(begun) { try signer.assertion($0, account) } }
      finish(.signInVerify, response, account, caller) { [unowned self] (result) in
        then(
          result.flatMap { (values) in
            session(values, account, caller).map { .success($0) } ?? .failure(.malformed())
          })
      }
    }
  }

  /// Confirms a request and returns the grant.
  func stepUp(
    _ request: LoadPlan.Request, in session: LoadSession, isMeasured: Bool,
    then: @escaping (Result<String, LoadFault>) -> Void
  ) {
    let caller = Caller(session, isMeasured: isMeasured)
    let demand = StepUpDemand(method: request.method, path: request.path, body: Bytes())
    var values = ShapeValues()
    values.set(.actionMethod, demand.method)
    values.set(.actionPath, demand.path)
    values.set(.actionBodyDigest, demand.bodySHA256[...])
    let account = session.account
    send(.stepUpOptions, values, from: caller) { [unowned self] (result) in
      let response = result.flatMap { (begun) in answer(begun) { try signer.assertion($0, account) } }
      finish(.stepUpVerify, response, account, caller) { (result) in
        then(result.flatMap { (values) in values.text(.grantToken).map { .success($0) } ?? .failure(.malformed()) })
      }
    }
  }

  /// Renews a session.
  func refresh(_ session: LoadSession, isMeasured: Bool, then: @escaping (Result<Void, LoadFault>) -> Void) {
    var values = ShapeValues()
    values.set(.sessionRefreshToken, session.refreshToken)
    var caller = Caller(session, isMeasured: isMeasured)
    if target.profile.presentation == .bearer {
      guard session.refreshToken != nil else {
        return then(.failure(LoadFault(ClientError.Code.sessionNotRenewable.rawValue)))
      }
      caller.session = nil
    }
    send(.refresh, values, from: caller) { [unowned self] (result) in
      then(
        result.flatMap { (values) in
          guard let renewed = self.session(values, session.account, caller) else { return .failure(.malformed()) }
          session.token = renewed.token
          session.refreshToken = renewed.refreshToken ?? session.refreshToken
          session.expiry = renewed.expiry
          return .success(())
        })
    }
  }

  /// Ends a session.
  func signOut(_ session: LoadSession, isMeasured: Bool, then: @escaping (Result<Void, LoadFault>) -> Void) {
    send(.signOut, from: Caller(session, isMeasured: isMeasured)) { (result) in then(result.map { _ in }) }
  }

  /// Deletes the account of a session.
  func erase(_ session: LoadSession, then: @escaping (Result<Void, LoadFault>) -> Void) {
    guard let contract = target.profile[.eraseAccount] else {
      return then(.failure(LoadFault(ClientError.Code.endpointMissing.rawValue)))
    }
    let caller = Caller(session, isMeasured: false)
    guard target.profile.confirms(.eraseAccount) else {
      return send(.eraseAccount, from: caller) { (result) in then(result.map { _ in }) }
    }
    stepUp(.init(method: contract.method, path: contract.path), in: session, isMeasured: false) {
      [unowned self] (result) in
      switch result {
      case .failure(let fault): then(.failure(fault))
      case .success(let grant):
        send(.eraseAccount, from: caller, grant: grant) { (result) in then(result.map { _ in }) }
      }
    }
  }

  /// Signs the options in a reply.
  private func answer(
    _ begun: ShapeValues, _ sign: (JSONValue) throws -> [UInt8]
  ) -> Result<[UInt8], LoadFault> {
    guard let options = begun.object(.options), let response = try? sign(options) else {
      return .failure(.malformed())
    }
    return .success(response)
  }

  /// Posts the response to a ceremony's options.
  private func finish(
    _ endpoint: EndpointName, _ response: Result<[UInt8], LoadFault>, _ account: LoadAccount, _ caller: Caller,
    then: @escaping (Result<ShapeValues, LoadFault>) -> Void
  ) {
    switch response {
    case .failure(let fault): then(.failure(fault))
    case .success(let response):
      var values = names(of: account, for: endpoint)
      values[.credential] = .encoded(response)
      send(endpoint, values, from: caller) { [unowned self] (result) in
        if case .success = result { repeatOne(after: .init(endpoint: endpoint, values: values, caller: caller)) }
        then(result)
      }
    }
  }

  /// Sends an earlier completion again, now and then. The requests do not count as operations.
  private func repeatOne(after completion: Repetitions.Completion) {
    guard let earlier = repetitions?.next(after: completion) else { return }
    var caller = earlier.caller
    caller.isMeasured = false
    send(earlier.endpoint, earlier.values, from: caller) { [unowned self] (result) in
      switch result {
      case .success:
        repetitions?.acceptedCount += 1
        repetitions?.repliedCount += 1
      case .failure(let fault): if 400..<500 ~= fault.status { repetitions?.repliedCount += 1 }
      }
    }
  }

  private func names(of account: LoadAccount, for endpoint: EndpointName) -> ShapeValues {
    var values = ShapeValues()
    // A missing name is refused by the server, with its own code.
    if let contract = target.profile[endpoint] { try? account.names.add(to: &values, for: contract) }
    return values
  }

  /// Returns the session that a reply opens; nil if it opens none.
  private func session(_ values: ShapeValues, _ account: LoadAccount, _ caller: Caller) -> LoadSession? {
    switch target.profile.presentation {
    case .bearer: guard values.text(.sessionToken) != nil else { return nil }
    case .cookie(let name): guard caller.cookies.contains(name) else { return nil }
    case .nothing: break
    }
    let lifetime = Int64(target.profile.sessions.lifetimeSeconds)
    return LoadSession(
      account, token: values.text(.sessionToken), refreshToken: values.text(.sessionRefreshToken),
      cookies: caller.cookies,
      // Nine tenths: a request that begins before the end must arrive before it.
      expiry: LoadClock.now + lifetime * 900_000_000)
  }
}

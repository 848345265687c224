// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// Plays FIDO's server tests against a server with FIDO's four endpoints: `/attestation/options`,
/// `/attestation/result`, `/assertion/options` and `/assertion/result`.
///
/// The server is a function that sends a request and returns the reply, and keeps the server's cookies.
package struct FIDOPlayer<Failure: Error>: Sendable {
  /// Sends a body to a path.
  package typealias Exchange = @Sendable (_ path: String, _ body: [UInt8]) async throws(Failure) -> FIDOReply

  private let origin: String
  private let pinsReasons: Bool
  private let exchange: Exchange
  private let run: String

  /// Creates a player.
  ///
  /// - Parameters:
  ///   - origin: The origin that the client data name.
  ///   - run: The beginning of the user names, different in each run against a server with a memory.
  ///   - pinsReasons: Whether a refusal must have the code, the step and the causes of the case, as the example server
  ///     reports them.
  ///   - exchange: Sends requests.
  package init(origin: String, run: String, pinsReasons: Bool, exchange: @escaping Exchange) {
    self.origin = origin
    self.run = run
    self.pinsReasons = pinsReasons
    self.exchange = exchange
  }

  /// Plays every test.
  ///
  /// - Throws: The error of a request that got no reply.
  package func playAll() async throws(Failure) -> FIDOResults {
    var results: [FIDOResult] = []
    for suite in FIDOSuite.all {
      for test in suite.tests {
        results.append(FIDOResult(suite: suite, test: test, verdict: try await play(test, of: suite)))
      }
    }
    return FIDOResults(results)
  }

  /// Plays a test.
  ///
  /// - Throws: The error of a request that got no reply.
  package func play(_ test: FIDOTest, of suite: FIDOSuite) async throws(Failure) -> FIDOVerdict {
    let name = "\(run)-\(suite.id)-\(test.name)".lowercased().filter { $0 != " " }
    let game = Game(player: self, test: test, name: name)
    switch await game.result() {
    case .success(let seen):
      switch seen {
      case .notOffered(let algorithm): return .notRun("the server does not offer \(algorithm)")
      case .fault(let words): return FIDOVerdict(test, seen: words, isRight: false)
      case .accepted: return FIDOVerdict(test, seen: "accepted", isRight: test.isAccepted)
      case .refused(let refusal): return FIDOVerdict(test, refusal, pinsReasons)
      }
    case .failure(let error): throw error
    }
  }

  fileprivate func send(_ path: String, _ body: [UInt8]) async throws(Failure) -> FIDOReply {
    try await exchange(path, body)
  }

  fileprivate var originOfPages: String { origin }
}

/// A server's reply.
package struct FIDOReply: Sendable {
  package let status: Int
  package let body: [UInt8]

  package init(status: Int, body: [UInt8]) {
    (self.status, self.body) = (status, body)
  }
}

/// The verdict on a test.
package enum FIDOVerdict: Sendable, Equatable {
  case passed
  /// The server does not offer what the test needs.
  case notRun(String)
  case failed(expected: String, seen: String)

  fileprivate init(_ test: FIDOTest, seen: String, isRight: Bool) {
    self = isRight ? .passed : .failed(expected: test.expectation, seen: seen)
  }

  fileprivate init(_ test: FIDOTest, _ seen: FIDORefusal, _ pinsReasons: Bool) {
    let isRight =
      if let expected = test.refusal {
        !pinsReasons || (seen.code == expected.code && seen.step == expected.step && seen.causes == expected.causes)
      } else { false }
    self.init(test, seen: seen.description, isRight: isRight)
  }
}

extension FIDOTest {
  /// The expected behavior of a server, as a clause.
  package var expectation: String {
    guard let refusal else { return "accepted" }
    return FIDORefusal(code: refusal.code, step: refusal.step, causes: refusal.causes, message: nil).description
  }
}

/// How a server refused a response. All but the message is nil or empty for a foreign server.
private struct FIDORefusal {
  let code: String?
  let step: Int?
  let causes: [String]
  let message: String?

  var description: String {
    guard let code else { return "refused: \(message ?? "no errorMessage")" }
    return "refused: \(code)" + (step.map { " in step \($0)" } ?? "")
      + (causes.isEmpty ? "" : " (\(causes.joined(separator: ", ")))")
  }
}

extension FIDORefusal {
  init(_ json: JSONValue) {
    code = try? json["code"]?.string
    step = (try? json["step"]?.int64).map { Int($0) }
    causes = (try? json["causes"]?.elements { (value) throws(WireError) in try value.string }) ?? []
    message = try? json["errorMessage"]?.string
  }
}

/// The observed behavior of a server.
private enum FIDOObservation {
  case accepted
  case refused(FIDORefusal)
  case notOffered(COSEAlgorithm)
  /// Something that no test allows.
  case fault(String)
}

/// One test in progress.
private struct Game<Failure: Error> {
  let player: FIDOPlayer<Failure>
  let test: FIDOTest
  let name: String

  /// Why a test ended early.
  enum End: Error {
    case unreachable(Failure)
    case fault(FIDOFault)
    case notOffered(COSEAlgorithm)
  }

  func result() async -> Result<FIDOObservation, Failure> {
    do throws(End) {
      switch test.ceremony {
      case .options(let check): return .success(try await judge(check))
      case .registration(let scenario):
        return .success(try await register(scenario).outcome)
      case .authentication(let scenario):
        let credential = try await registered(counting: test.registeredSignCount)
        return .success(try await signIn(scenario, credential))
      }
    } catch {
      switch error {
      case .unreachable(let failure): return .failure(failure)
      case .fault(let fault): return .success(.fault(fault.words))
      case .notOffered(let algorithm): return .success(.notOffered(algorithm))
      }
    }
  }

  // MARK: Ceremonies

  private func register(
    _ scenario: RegistrationScenario, counting count: UInt32 = 0
  ) async throws(End) -> (outcome: FIDOObservation, credential: LiveCredential) {
    let options = try await creationOptions(test.request)
    guard let id = options.createdFor, let userHandle = options.userHandle else {
      throw .fault(FIDOFault("the creation options have no RP ID or no user handle"))
    }
    guard options.algorithms.contains(Int64(scenario.algorithm.rawValue)) else { throw .notOffered(scenario.algorithm) }
    let (credential, body) = try made { () throws(PasskeyCryptoError) in
      let credential = try LiveCredential(userHandle: userHandle, scenario.algorithm, of: test.model)
      var ceremony = LiveCeremony(
        challenge: options.challenge, relyingPartyID: id, origin: player.originOfPages, credential: credential)
      ceremony.signCount = count
      return (credential, try scenario.response(to: ceremony))
    }
    return (try await post("/attestation/result", body), credential)
  }

  /// Registers a passkey without a fault, with which the test signs in.
  private func registered(counting count: UInt32 = 0) async throws(End) -> LiveCredential {
    let scenario = RegistrationScenario("setup", .es256, .selfSigned)
    let (outcome, credential) = try await register(scenario, counting: count)
    switch outcome {
    case .accepted: return credential
    case .refused(let refusal): throw .fault(FIDOFault("the registration before the test was \(refusal.description)"))
    case .fault(let words): throw .fault(FIDOFault("the registration before the test: \(words)"))
    case .notOffered(let algorithm): throw .notOffered(algorithm)
    }
  }

  private func signIn(
    _ scenario: AuthenticationScenario, _ credential: LiveCredential
  ) async throws(End) -> FIDOObservation {
    let options = try await requestOptions(test.request)
    guard let id = options.requestedFor else { throw .fault(FIDOFault("the request options have no rpId")) }
    let body = try made { () throws(PasskeyCryptoError) in
      try scenario.response(
        to: LiveCeremony(
          challenge: options.challenge, relyingPartyID: id, origin: player.originOfPages, credential: credential))
    }
    return try await post("/assertion/result", body)
  }

  private func made<Value>(_ make: () throws(PasskeyCryptoError) -> Value) throws(End) -> Value {
    do throws(PasskeyCryptoError) {
      return try make()
    } catch {
      throw .fault(FIDOFault("the response cannot be made: \(error)"))
    }
  }

  // MARK: Options

  private func judge(_ check: FIDOOptionsCheck) async throws(End) -> FIDOObservation {
    var request = test.request
    switch check {
    case .creationMembers:
      let options = try await creationOptions(request)
      try require { () throws(FIDOFault) in
        try options.requireCreationMembers(for: name)
        try options.require("attestation", "direct")
      }
    case .attestationNone:
      request.attestation = "none"
      let options = try await creationOptions(request)
      try require { () throws(FIDOFault) in try options.require("attestation", "none") }
    case .creationChallenges:
      let (first, second) = (try await creationOptions(request), try await creationOptions(request))
      try requireDifferent(first, second)
    case .userVerificationRequired:
      request.userVerification = "required"
      let options = try await creationOptions(request)
      try require { () throws(FIDOFault) in try options.requireSelection("userVerification", "required") }
    case .exclusion:
      let credential = try await registered()
      let options = try await creationOptions(request)
      try require { () throws(FIDOFault) in
        try FIDOOptions.require(
          options.credentialIDs("excludeCredentials").contains(credential.id),
          "excludeCredentials lacks the new passkey")
      }
    case .requestMembers:
      let credential = try await registered()
      request.userVerification = "required"
      let options = try await requestOptions(request)
      try require { () throws(FIDOFault) in try options.requireRequestMembers(for: credential.id) }
    case .requestChallenges:
      _ = try await registered()
      let (first, second) = (try await requestOptions(request), try await requestOptions(request))
      try requireDifferent(first, second)
    }
    return .accepted
  }

  private func requireDifferent(_ first: FIDOOptions, _ second: FIDOOptions) throws(End) {
    try require { () throws(FIDOFault) in
      try FIDOOptions.require(first.challenge != second.challenge, "both options have the same challenge")
    }
  }

  private func require<Value>(_ check: () throws(FIDOFault) -> Value) throws(End) -> Value {
    do throws(FIDOFault) {
      return try check()
    } catch {
      throw .fault(error)
    }
  }

  private func creationOptions(_ request: FIDORequest) async throws(End) -> FIDOOptions {
    let body = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("username", .string(name))
      object.write("displayName", .string(name))
      object.write("attestation", .string(request.attestation))
      object.writeObject("authenticatorSelection") { (selection) in
        selection.write("requireResidentKey", false)
        selection.write("userVerification", .string(request.userVerification))
      }
      object.writeObject("extensions") { $0.write(FIDOOptions.extensionName, true) }
    }
    return try await options("/attestation/options", body)
  }

  private func requestOptions(_ request: FIDORequest) async throws(End) -> FIDOOptions {
    let body = JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("username", .string(name))
      object.write("userVerification", .string(request.userVerification))
      object.writeObject("extensions") { $0.write(FIDOOptions.extensionName, true) }
    }
    return try await options("/assertion/options", body)
  }

  private func options(_ path: String, _ body: [UInt8]) async throws(End) -> FIDOOptions {
    let reply = try await send(path, body)
    guard let json = try? JSON.parse(reply.body) else {
      throw .fault(FIDOFault("\(path) answered with \(reply.status) and no JSON"))
    }
    do throws(FIDOFault) {
      return try FIDOOptions(json)
    } catch {
      throw .fault(FIDOFault("\(path) answered with \(reply.status): \(error.words)"))
    }
  }

  // MARK: Requests

  /// Posts a response. A status from 500 up is no refusal: the server failed.
  private func post(_ path: String, _ body: [UInt8]) async throws(End) -> FIDOObservation {
    let reply = try await send(path, body)
    guard let json = try? JSON.parse(reply.body), let status = (try? json["status"]?.string).flatMap({ $0 }),
      reply.status < 500
    else { return .fault("\(path) answered with \(reply.status) and no status") }
    if status == "ok" { return .accepted }
    return .refused(FIDORefusal(json))
  }

  private func send(_ path: String, _ body: [UInt8]) async throws(End) -> FIDOReply {
    do throws(Failure) {
      return try await player.send(path, body)
    } catch {
      throw .unreachable(error)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import TestSupport

/// Many clients in one thread, with their measurements. [One thread, to leave the processors to the server.]
struct Load {
  /// When to begin no more sign-ins.
  enum End {
    case after(seconds: Double)
    case signIns(Int)
  }

  private(set) var signInCount = 0

  /// The elapsed time in seconds.
  private(set) var seconds = 0.0

  /// The CPU time of the clients in seconds.
  private(set) var clientTime = 0.0

  /// The CPU time of the server in seconds.
  private(set) var serverTime = 0.0

  /// The duration of each request and each sign-in in microseconds.
  private(set) var requests: [Double] = []
  private(set) var signIns: [Double] = []

  /// Signs in as random accounts from this many concurrent clients until the deadline. Throws unless every response is a success.
  static func run(
    on server: ServerProcess, clients count: Int, people: Int, of accounts: LoadAccounts, seed: UInt64, until end: End
  ) throws -> Load {
    var load = Load()
    let clients = try (0..<count).map { (_) in try LoadClient(port: server.port) }
    var generator = SeededGenerator(seed: seed)
    var begun = [Double](repeating: 0, count: count)
    var asked = begun
    var waiting = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    let (start, ownStart, serverStart) = (now, ownTime, try server.processorTime)
    var begunCount = 0
    func mayBegin() -> Bool {
      switch end {
      case .after(let seconds): now < start + seconds
      case .signIns(let limit): begunCount < limit
      }
    }
    func begin(_ index: Int) throws {
      begunCount += 1
      (begun[index], asked[index]) = (now, now)
      try clients[index].begin(as: accounts.person(Int.random(in: 0..<people, using: &generator)))
    }
    for index in clients.indices where mayBegin() { try begin(index) }
    while load.signInCount < begunCount {
      guard unsafe poll(&waiting, nfds_t(count), 30_000) > 0 else {
        throw LoadClient.Unexpected(answer: "no response within 30 seconds")
      }
      for index in waiting.indices where waiting[index].revents != 0 {
        let progress = try clients[index].proceed()
        let moment = now
        switch progress {
        case .none: continue
        case .begun:
          load.requests.append((moment - asked[index]) * 1e6)
          asked[index] = moment
        case .signedIn:
          load.requests.append((moment - asked[index]) * 1e6)
          load.signIns.append((moment - begun[index]) * 1e6)
          load.signInCount += 1
          if mayBegin() { try begin(index) }
        }
      }
    }
    load.seconds = now - start
    load.clientTime = ownTime - ownStart
    load.serverTime = try server.processorTime - serverStart
    return load
  }

  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static var ownTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import TestSupport

/// Many clients in one thread, and what they have met with. [One thread: the server is to have what it leaves.]
struct Load {
  /// When to stop beginning.
  enum End {
    case after(seconds: Double)
    case signIns(Int)
  }

  private(set) var signInCount = 0

  /// How long all of it took, in seconds.
  private(set) var seconds = 0.0

  /// The processor's time that the clients took, in seconds.
  private(set) var clientTime = 0.0

  /// The processor's time that the server took, in seconds.
  private(set) var serverTime = 0.0

  /// How long each request took, and each sign-in, in microseconds.
  private(set) var requests: [Double] = []
  private(set) var signIns: [Double] = []

  /// Signs in as people chosen by chance, from so many clients at once, until the end is reached. Every answer has to be a
  /// success.
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
        throw LoadClient.Unexpected(answer: "nothing in half a minute")
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

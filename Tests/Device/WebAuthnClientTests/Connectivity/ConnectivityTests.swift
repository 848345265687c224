// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct ConnectivityTests {
  private static let lost: [ClientError.Code] = [
    .unreachable, .nameNotFound, .connectTimedOut, .replyTimedOut, .certificateUntrusted, .certificateExpired,
    .certificateNotYetValid, .certificateWrongHost, .tlsFailed, .proxyFailed, .connectionReset, .replyTruncated,
  ]
  private static let answers: [ClientError.Code] = [.refusedByServer, .redirected, .replyTooLarge, .replyMalformed]

  /// 12 November 2026, 09:05:59 UTC.
  private static let morning = UnixTime(secondsSince1970: 1_794_474_359)

  private func standing(_ phase: Connectivity<String>.Phase) -> Connectivity<String> {
    var connectivity = Connectivity<String>()
    connectivity.succeeded(reading: "state", at: Self.morning)
    if phase != .online { connectivity.failed(with: ClientError(.unreachable)) }
    if phase == .stale { connectivity.answered() }
    #expect(connectivity.phase == phase)
    return connectivity
  }

  private static let phases: [Connectivity<String>.Phase] = [.online, .offline, .stale]

  @Test(arguments: phases)
  func `A successful read restores the connection and is remembered`(_ phase: Connectivity<String>.Phase) {
    var connectivity = standing(phase)
    connectivity.succeeded(reading: "newer", at: Self.morning + .seconds(60))
    #expect(connectivity.phase == .online)
    #expect(connectivity.allowsWriting)
    #expect(connectivity.lastRead?.content == "newer")
    #expect(connectivity.lastRead?.time == Self.morning + .seconds(60))
    #expect(connectivity.banner(secondsFromUTC: 0) == nil)
  }

  @Test(arguments: phases, ClientError.Code.allCases)
  func `Each error leads each phase to the right one`(_ phase: Connectivity<String>.Phase, _ code: ClientError.Code) {
    var connectivity = standing(phase)
    connectivity.failed(with: ClientError(code))
    let expected: Connectivity<String>.Phase =
      Self.lost.contains(code) ? .offline : Self.answers.contains(code) && phase == .offline ? .stale : phase
    #expect(connectivity.phase == expected)
    #expect(connectivity.lastRead?.content == "state")
  }

  @Test func `Every network error without a response counts as a lost connection`() {
    #expect(ClientError.Code.allCases.filter { ClientError($0).isLossOfConnection } == Self.lost)
    #expect(ClientError.Code.allCases.filter { ClientError($0).isAnswer }.count == Self.answers.count)
    let timeOuts = ClientError.Code.allCases.filter { ClientError($0).domName == "TimeoutError" }
    #expect(timeOuts == [.connectTimedOut, .replyTimedOut] && timeOuts.allSatisfy { Self.lost.contains($0) })
  }

  @Test func `A response ends the offline phase, and old data stay old`() {
    var connectivity = standing(.offline)
    connectivity.answered()
    #expect(connectivity.phase == .stale)
    for phase in [Connectivity<String>.Phase.online, .stale] {
      var connectivity = standing(phase)
      connectivity.answered()
      #expect(connectivity.phase == phase)
    }
  }

  @Test func `A write is refused until the state was read again`() {
    var connectivity = standing(.offline)
    func refusal() -> ClientError? {
      do throws(ClientError) { try connectivity.requireWriting() } catch { return error }
      return nil
    }
    #expect(refusal()?.code == .writingNotAllowed)
    #expect(refusal()?.outcome == .notSent)
    #expect(refusal()?.domName == "InvalidStateError")
    connectivity.answered()
    #expect(refusal()?.code == .writingNotAllowed)
    #expect(!connectivity.allowsWriting)
    connectivity.failed(with: ClientError(.refusedByServer))
    #expect(refusal()?.code == .writingNotAllowed)
    connectivity.succeeded(reading: "new", at: Self.morning)
    #expect(refusal() == nil)
    #expect(Connectivity<String>().allowsWriting)
  }

  @Test func `After a write with an unknown outcome, the state must be read again`() {
    var connectivity = standing(.online)
    connectivity.failed(with: ClientError(.refusedByServer, outcome: .unknown))
    #expect(connectivity.phase == .stale)
    connectivity.succeeded(reading: "new", at: Self.morning)
    #expect(connectivity.allowsWriting)
  }

  @Test func `The text gives the time of the last read in the user's time zone`() {
    let offline = standing(.offline)
    #expect(offline.banner(secondsFromUTC: 0) == "No connection — data last updated at 09:05")
    #expect(offline.banner(secondsFromUTC: 3_600) == "No connection — data last updated at 10:05")
    #expect(offline.banner(secondsFromUTC: -10 * 3_600) == "No connection — data last updated at 23:05")
    #expect(offline.banner(secondsFromUTC: 20_700) == "No connection — data last updated at 14:50")
    #expect(standing(.online).banner(secondsFromUTC: 0) == nil)
    #expect(standing(.stale).banner(secondsFromUTC: 0) == nil)
    for (seconds, words) in [(Int64.min, "data last updated"), (.max, "data last updated"), (-1, "at 23:59")] {
      var connectivity = Connectivity<String>()
      connectivity.succeeded(reading: "", at: UnixTime(secondsSince1970: seconds))
      connectivity.failed(with: ClientError(.replyTimedOut))
      #expect(connectivity.banner(secondsFromUTC: 0)?.contains(words) == true)
      #expect(connectivity.banner(secondsFromUTC: .min) != nil && connectivity.banner(secondsFromUTC: .max) != nil)
    }
  }

  @Test func `Without a read there is no time, and forgotten data are not shown`() {
    var connectivity = Connectivity<String>()
    connectivity.failed(with: ClientError(.nameNotFound))
    #expect(connectivity.banner(secondsFromUTC: 0) == "No connection")
    var other = standing(.offline)
    other.forget()
    #expect(other.lastRead == nil)
    #expect(other.banner(secondsFromUTC: 0) == "No connection")
    #expect(!other.allowsWriting)
  }
}

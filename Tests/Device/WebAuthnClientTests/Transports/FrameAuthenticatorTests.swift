// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct FrameAuthenticatorTests {
  /// Starts a device program with this script.
  private func program(_ script: String) throws -> FrameAuthenticator {
    try FrameAuthenticator(command: ["/bin/sh", "-c", script])
  }

  private func answer(_ device: FrameAuthenticator) async -> Result<[UInt8], CTAPError> {
    do throws(CTAPError) {
      return .success(try await device.perform(.getInfo, []))
    } catch {
      return .failure(error)
    }
  }

  /// Returns a `printf` command that prints these bytes.
  private func printed(_ bytes: [UInt8]) -> String {
    "printf '" + bytes.map { (byte) in "\\" + String(byte, radix: 8) }.joined() + "'"
  }

  @Test func `a response is returned without its status`() async throws {
    let frame = FrameBuffer.encode(FrameType.cbor, [0x00, 0xa0])
    let device = try program("head -c 6 >/dev/null; \(printed(frame)); cat >/dev/null")
    #expect(await answer(device) == .success([0xa0]))
    await device.close()
  }

  @Test func `a status is thrown`() async throws {
    let device = try program("head -c 6 >/dev/null; \(printed(FrameBuffer.encode(FrameType.cbor, [0x27])))")
    #expect(await answer(device) == .failure(CTAPError(.operationDenied)))
  }

  @Test func `keep-alives and unknown frames are ignored`() async throws {
    let frames =
      FrameBuffer.encode(FrameType.keepAlive, [2]) + FrameBuffer.encode(0x77, [1, 2, 3])
      + FrameBuffer.encode(FrameType.keepAlive, []) + FrameBuffer.encode(FrameType.cbor, [0x00])
    let device = try program("head -c 6 >/dev/null; \(printed(frames)); cat >/dev/null")
    #expect(await answer(device) == .success([]))
  }

  @Test(.timeLimit(.minutes(10))) func `a device that never stops sending is cut off`() async throws {
    let device = try program("while :; do \(printed(FrameBuffer.encode(FrameType.keepAlive, [1]))); sleep 0.05; done")
    await device.close()
    #expect(await answer(device) == .failure(CTAPError(.other, "the device was disconnected")))
  }

  @Test func `a slow response is assembled`() async throws {
    let frame = FrameBuffer.encode(FrameType.cbor, [0x00, 1, 2, 3])
    let script = frame.map { (byte) in "\(printed([byte])); sleep 0.01" }.joined(separator: "; ")
    let device = try program("head -c 6 >/dev/null; \(script); cat >/dev/null")
    #expect(await answer(device) == .success([1, 2, 3]))
  }

  @Test func `a refused frame is an error`() async throws {
    let frame = printed(FrameBuffer.encode(FrameType.error, [0x06]))
    let device = try program("head -c 6 >/dev/null; \(frame); cat >/dev/null")
    guard case .failure(let error) = await answer(device) else {
      Issue.record("it was answered")
      return
    }
    #expect(error.status == .channelBusy)
  }

  @Test(arguments: [
    ("exit 3", "exit code 3"), ("kill -9 $$", "signal 9"), ("head -c 6 >/dev/null; exit 0", "exit code 0"),
    ("head -c 6 >/dev/null; printf '\\000\\000\\000\\011\\020'; exit 7", "exit code 7"),
    ("head -c 6 >/dev/null; printf '\\377\\377\\377\\377'; exec sleep 1200", "signal"),
    ("head -c 6 >/dev/null; printf '\\000\\000\\000\\000'; exec sleep 1200", "signal"),
    ("exec <&- >&-; exec sleep 1200", "signal"),
  ])
  func `a device that disconnects reports how`(_ script: String, _ words: String) async throws {
    let device = try program(script)
    guard case .failure(let error) = await answer(device) else {
      Issue.record("it was answered")
      return
    }
    #expect(error.status == .other)
    #expect(error.detail?.contains(words) == true, "\(error)")
    // The device remains unusable.
    #expect(await answer(device) == .failure(error))
  }

  @Test func `an empty response is an error`() async throws {
    let device = try program("head -c 6 >/dev/null; printf '\\000\\000\\000\\001\\020'; cat >/dev/null")
    guard case .failure(let error) = await answer(device) else {
      Issue.record("it was answered")
      return
    }
    #expect(error.status == .other)
  }

  @Test func `a device that does not read does not block callers`() async throws {
    // Reads the beginning of the first message only.
    let folder = try TemporaryFolder()
    let log = "\(folder.path)/log"
    let device = try program("head -c 1 >/dev/null; echo read > \(log); exec sleep 1200")
    let long = [UInt8](repeating: 0, count: 900_000)
    let task = Task { try? await device.perform(.makeCredential, long) }
    #expect(await HangGuard.waits { () async -> Bool in (try? File.bytes(log)) == Array("read\n".utf8) })
    #expect(await answer(device) == .failure(CTAPError(.channelBusy)))
    await device.cancel()
    let start = ContinuousClock.now
    await device.close()
    #expect(await task.value == nil)
    #expect(ContinuousClock.now - start < .seconds(HangGuard.seconds))
  }

  @Test func `a missing program cannot be started`() async throws {
    for command in [["/nowhere/at/all"], ["no-such-program-anywhere"], [""], []] {
      let error = try await failure { try FrameAuthenticator(command: command) }
      #expect(error?.code == .authenticatorFailed)
    }
  }

  @Test func `a missing socket cannot be reached`() async throws {
    for path in ["/nowhere/at/all", "", String(repeating: "x", count: 200)] {
      let error = try await failure { try FrameAuthenticator(unixSocket: path) }
      #expect(error?.code == .authenticatorFailed)
    }
  }

  @Test func `descriptors of a device are not inherited by other programs`() throws {
    let (connection, process) = try DeviceProcess.start(["/bin/sh", "-c", "exec cat >/dev/null"])
    let wakeUp = try WakeUp()
    for descriptor in [connection, wakeUp.descriptor] {
      #expect(fcntl(descriptor.number, F_GETFD, 0) & FD_CLOEXEC != 0)
    }
    connection.close()
    #expect(process.end(within: .seconds(600)) == "/bin/sh has ended with exit code 0")
  }

  @Test func `releasing the device ends its program`() async throws {
    let folder = try TemporaryFolder()
    let log = "\(folder.path)/log"
    do {
      let device = try program("echo started > \(log); cat >/dev/null; echo ended >> \(log)")
      await device.cancel()
      #expect(await HangGuard.waits { () async -> Bool in (try? File.bytes(log)) == Array("started\n".utf8) })
    }
    #expect(await HangGuard.waits { () async -> Bool in (try? File.bytes(log)) == Array("started\nended\n".utf8) })
  }

  @Test func `no program is left as a zombie`() async throws {
    let device = try program("exec cat >/dev/null")
    await device.close()
    guard case .failure(let error) = await answer(device) else {
      Issue.record("it was answered")
      return
    }
    #expect(error.detail == "the device was disconnected")
    // Other tests also have child processes, which are zombies briefly.
    let count = "ps -o stat= --ppid \(getpid()) | grep -c '^Z' || true"
    #expect(try await HangGuard.waits { () async throws -> Bool in try Shell.run(count, in: "/").hasPrefix("0") })
  }
}

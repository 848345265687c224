// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// `passkey load` when Ctrl-C ends it, and when its reports cannot be written. The accounts are deleted in any case.
@Suite struct LoadCommandTests {
  private let place: TemporaryFolder
  private let server: ServerProcess

  init() throws {
    place = try TemporaryFolder()
    server = try ServerProcess(
      """
      exec passkey-server --listen 127.0.0.1:0 --access-log log --ceremonies-per-minute 100000 \
      --ceremonies-per-account 100000
      """, in: place.path, ready: "serving raxx.app at")
  }

  private func command(_ options: String) -> String {
    "passkey load --profile raxx --origin https://raxx.app --accounts 2 \(options) http://127.0.0.1:\(server.port)"
  }

  /// Runs a load on a terminal and types Ctrl-C once it shows `sign`. Waits for these lines, and returns the exit code.
  private func interrupted(_ options: String, at sign: String, shows lines: [String]) async throws -> CInt? {
    let (command, folder) = (command(options), place.path)
    return try await waiting {
      let terminal = try TerminalProcess("exec \(command)", in: folder)
      #expect(terminal.waits(for: sign))
      terminal.type("\u{3}")
      for line in lines { #expect(terminal.waits(for: line), "\(terminal.rest)") }
      return terminal.end()
    }
  }

  /// The number of deleted accounts in the access log, once it is `expected`. The server writes its log in the background.
  private func deletionCount(_ expected: Int) async throws -> Int? {
    let folder = place.path
    return try await waiting {
      let count = try Shell.run(
        #"""
        for i in $(seq \#(HangGuard.seconds * 20)); do
          count=$(grep '"DELETE"' log | grep -c '"status":20')
          [ "$count" -ge \#(expected) ] && break
          sleep 0.05
        done
        echo "$count"
        """#, in: folder)
      return Int(count.filter(\.isNumber))
    }
  }

  @Test func `Ctrl-C ends a run, which reports and deletes its accounts`() async throws {
    let exitCode = try await interrupted(
      "--rate 20 --duration 10m", at: " s of 600 s",
      shows: [
        "passkey: deleting 2 accounts; another Ctrl-C leaves the rest on the server", "stopped by Ctrl-C", "sign-in",
        "This program used", "The accounts were deleted.",
      ])
    #expect(exitCode == 0)
    #expect(try await deletionCount(2) == 2)
  }

  @Test func `Ctrl-C ends a search, which reports and deletes its accounts`() async throws {
    let exitCode = try await interrupted(
      "--until-slo 'p99<60s' --rate 20 --duration 10m", at: "searching at 20.0",
      shows: [
        "stopped by Ctrl-C", "The search was stopped before its end.", "The accounts were deleted.",
        "passkey: cancelled",
      ])
    #expect(exitCode == 130)
    #expect(try await deletionCount(2) == 2)
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `a full disk costs one report, and neither the others nor the deletion`() async throws {
    let disk = try SmallDisk(place.path)
    let (command, folder) = (command("--duration 1s --html disk/load.html --prometheus load.prom"), place.path)
    let output = try await waiting {
      try Shell.run(
        """
        dd if=/dev/zero of=disk/more bs=4k 2>dd.log
        \(command)
        code=$?; ls disk; grep -c '^passkey_load' load.prom; exit $code
        """, in: folder)
    }
    #expect(output.contains("The accounts were deleted.\n"), "\(output)")
    #expect(output.contains("passkey: error: cannot write \"disk/load.html\": no space left on device\n"), "\(output)")
    #expect(output.contains("\nballast\nmore\n") && output.hasSuffix("[1]\n"), "\(output)")
    #expect(try await deletionCount(2) == 2)
    withExtendedLifetime(disk) {}
  }

  @Test func `a reader that leaves early costs no report and no deletion`() async throws {
    let (command, folder) = (command("--duration 1s --prometheus load.prom"), place.path)
    let output = try await waiting {
      try Shell.run(
        // The error of a closed pipe may come or not, as the reader is early or late.
        "\(command) 2>errors | head -n 1; \(command) 2>errors | true; grep -c '^passkey_load_generator_is' load.prom",
        in: folder)
    }
    #expect(output == "http://127.0.0.1:\(server.port), profile raxx, open model\n1\n")
    #expect(try await deletionCount(4) == 4)
  }
}

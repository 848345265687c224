// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// Protection of the memory of both programs, which holds keys and tokens, against core files and other processes of
/// the same user.
struct ProcessMemoryTests {
  /// Runs a script with helper functions: `as_user` runs a command as an ordinary user, `says` waits for a text in
  /// `told`, and `reads` tests whether one process of the user may read another's memory.
  private static func shell(_ script: String, in folder: TemporaryFolder) throws -> String {
    try Shell.run(
      """
      chmod 777 .
      bash <<'END'
      as_user() {
        if [ "$(id -u)" = 0 ]; then exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; else exec "$@"; fi
      }
      says() { for i in {1..300}; do grep -qs "$1" told && return; sleep 0.1; done; echo "it never said: $1"; }
      reads() { if (as_user head -c 1 /proc/$1/environ) >/dev/null 2>&1; then echo readable; else echo refused; fi; }
      \(script)
      END
      """, in: folder.path)
  }

  static let leavesCores: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let printed = try? shell("ulimit -c unlimited; sleep 60 & kill -ABRT $!; wait $! 2>told; ls core*", in: folder)
    return printed?.hasPrefix("core") == true
  }()

  @Test(.enabled(if: leavesCores, "the kernel writes no core files into the working directory here"))
  func `an aborted server leaves no core file`() throws {
    let folder = try TemporaryFolder()
    // The secret is in memory once the server serves.
    let printed = try Self.shell(
      """
      export SWIFT_BACKTRACE=enable=no; ulimit -c unlimited
      passkey-server --listen 127.0.0.1:0 --access-log log 2>told &
      server=$!
      says serving
      kill -ABRT $server; wait $server 2>>told; echo "ended with $?"
      test -s passkey.secret && echo "there is a secret"
      ls | grep -c core
      """, in: folder)
    #expect(printed == "ended with 134\nthere is a secret\n0\n[1]\n")
  }

  @Test func `a process of the same user cannot read the memory of a server`() throws {
    let printed = try Self.shell(
      """
      (as_user sleep 60) & other=$!
      (as_user passkey-server --listen 127.0.0.1:0 --access-log log 2>told) & server=$!
      says serving
      reads $other; reads $server
      kill $other $server; wait
      """, in: TemporaryFolder())
    #expect(printed == "readable\nrefused\n")
  }

  @Test(arguments: ["inspect -", "verify -"])
  func `a process of the same user cannot read the memory of a command`(_ command: String) throws {
    let printed = try Self.shell(
      """
      mkfifo input
      (as_user passkey \(command) <input >/dev/null 2>&1) & program=$!
      exec 3>input
      for i in {1..300}; do [ "$(cat /proc/$program/comm)" = passkey ] && [ "$(reads $program)" = refused ] && break; sleep 0.1; done
      reads $program
      exec 3>&-; wait
      """, in: TemporaryFolder())
    #expect(printed == "refused\n")
  }
}

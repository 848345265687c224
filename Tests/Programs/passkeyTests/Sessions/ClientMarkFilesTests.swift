// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The stored client marks, by which servers recognize `passkey`, in their folder beside the sessions.
@Suite struct ClientMarkFilesTests {
  /// Runs a script with its own server.
  private func run(_ settings: String, _ script: String) throws -> String {
    let folder = try TemporaryFolder()
    let server = try ServerProcess(
      "exec passkey-server --listen 127.0.0.1:0 --access-log log \(settings)", in: folder.path,
      ready: "serving raxx.app at")
    return try Shell.run(
      """
      export PASSKEY_SERVER=http://127.0.0.1:\(server.port) PASSKEY_ORIGIN=https://raxx.app PASSKEY_VAULT=vault \
      PASSKEY_PASSPHRASE=only-a-test XDG_STATE_HOME="$PWD/state"
      in_and_out() { passkey sign-in --yes "$@" | sed -n 's/^user *//p'; passkey sign-out >/dev/null; }
      \(script)
      """, in: folder.path)
  }

  @Test(arguments: ["raxx", "yapt"])
  func `a mark survives a sign-out, is private, and is never printed`(_ profile: String) throws {
    let printed = try run(
      "--profile \(profile)",
      """
      export PASSKEY_PROFILE=\(profile)
      passkey register --user ada@raxx.app --yes --vault-cost test >>out 2>&1; passkey sign-out >>out 2>&1
      stat -c '%a %F' state/passkey/clients state/passkey/clients/*; ls state/passkey/clients | wc -l
      mark=$(sed 's/.*"mark":"\\([^"]*\\)".*/\\1/' state/passkey/clients/*); test ${#mark} -gt 70 && echo "there is a mark"
      mark=${mark##*\\\\t}
      passkey sign-in --yes --user ada@raxx.app --json >>out 2>&1; passkey whoami --json >>out 2>&1; passkey sessions >>out 2>&1
      passkey sign-out >>out 2>&1; grep -cF -e "$mark" out log told
      ls state/passkey/clients | wc -l
      passkey sign-in --yes --user ada@raxx.app --no-store >/dev/null; ls state/passkey/clients | wc -l
      """)
    #expect(
      printed == """
        700 directory
        600 regular file
        1
        there is a mark
        out:0
        log:0
        told:0
        1
        1

        """)
  }

  @Test func `a readable or malformed mark is ignored`() throws {
    let printed = try run(
      "",
      """
      passkey register --user ada@raxx.app --yes --vault-cost test >/dev/null; passkey sign-out >/dev/null
      mark=$(echo state/passkey/clients/*)
      chmod 644 $mark; in_and_out; stat -c %a $mark
      echo '{' >$mark; in_and_out; head -c 12 $mark; echo
      rm $mark; mkfifo $mark; in_and_out --user ada@raxx.app; stat -c %F $mark
      rm $mark; ln -s ../../real $mark; in_and_out; stat -c %F $mark; test -e state/real || echo "nothing was written there"
      chmod 755 state/passkey/clients; in_and_out; rm -r state/passkey/clients; : >state/passkey/clients; in_and_out
      """)
    #expect(
      printed == """
        ada@raxx.app
        600
        ada@raxx.app
        {"version":1
        ada@raxx.app
        regular file
        ada@raxx.app
        regular file
        nothing was written there
        ada@raxx.app
        ada@raxx.app

        """)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport
import Testing

/// The effects of SIGHUP: a closed terminal ends the server, and an operator's signal reloads its files.
@Suite(.serialized) struct HangupTests {
  static let hasOpenSSL = (try? Shell.run("openssl version", in: "/tmp").hasPrefix("OpenSSL")) == true

  /// Runs a script in a shell with the server in the background, then stops the server.
  private func shell(_ options: String, _ script: String, in folder: TemporaryFolder) throws -> String {
    try Shell.run(
      """
      bash <<'END'
      says() { for i in {1..300}; do grep -qs "$1" told && return; sleep 0.1; done; echo "it never said: $1"; }
      passkey-server --listen 127.0.0.1:0 --access-log log \(options) 2>told &
      server=$!
      says "serving"
      port=$(sed -n 's/.*serving.*://p' told)
      \(script)
      kill $server; wait $server; echo "ended with $?"
      END
      """, in: folder.path)
  }

  @Test func `SIGHUP does not stop a server without a certificate`() throws {
    let folder = try TemporaryFolder()
    let printed = try shell(
      "",
      """
      kill -HUP $server; says "no certificate to reload"
      exec 3<>"/dev/tcp/127.0.0.1/$port"; printf 'GET /healthz HTTP/1.1\\r\\nHost: h\\r\\nConnection: close\\r\\n\\r\\n' >&3
      tail -n 1 <&3; echo
      """, in: folder)
    #expect(printed == "{\"status\":\"ok\"}\nended with 0\n")
  }

  @Test(.enabled(if: hasOpenSSL, "the command line of OpenSSL is not here"))
  func `SIGHUP reloads the certificate and reports an unusable one`() throws {
    let folder = try TemporaryFolder()
    _ = try Shell.run(
      """
      for name in one two; do openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=$name -days 2 \
        -out $name.crt -keyout $name.key; done; cp one.crt crt; cp one.key key
      """, in: folder.path)
    let printed = try shell(
      "--tls-certificate crt --tls-key key",
      """
      shown() { openssl s_client -connect 127.0.0.1:$port </dev/null 2>/dev/null | openssl x509 -noout -subject; }
      shown
      cp two.crt crt; kill -HUP $server; says "still using the old"; shown
      cp two.key key; kill -HUP $server; says "now using the certificate in crt"; shown
      kill -HUP $server; says "crt has not changed"; shown
      sed '/: created /d; s/at http.*/at URL/' told
      """, in: folder)
    #expect(
      printed == """
        subject=CN = one
        subject=CN = one
        subject=CN = two
        subject=CN = two
        passkey-server: serving raxx.app at URL
        passkey-server: still using the old certificate: "crt" and "key" are not a certificate and its private key
        passkey-server: now using the certificate in crt
        passkey-server: the certificate in crt has not changed
        ended with 0

        """)
  }

  /// Waits until the server has logged a text. Returns false on time-out.
  private func says(_ text: String, _ folder: TemporaryFolder) -> Bool {
    HangGuard.waits { () -> Bool in
      guard let told = try? File.bytes("\(folder.path)/told") else { return false }
      return String(decoding: told, as: UTF8.self).contains(text)
    }
  }

  /// Returns the process of the server in a folder.
  private func process(in folder: TemporaryFolder) throws -> pid_t? {
    let found = try Shell.run(
      """
      for process in /proc/[0-9]*; do
        if [ "$(cat $process/comm)" = passkey-server ] && tr '\\0' '\\n' <$process/cmdline | grep -qxF '\(folder.path)/log'; then
          basename $process
        fi
      done 2>/dev/null
      """, in: folder.path)
    return found.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  // As the terminal's own program, and as a shell job.
  @Test(arguments: ["exec passkey-server", "passkey-server", "bash -ic 'set -m; passkey-server"])
  func `closing the terminal stops the server, and an earlier SIGHUP does not`(command: String) throws {
    let folder = try TemporaryFolder()
    let end = command.hasPrefix("bash") ? "; true'" : ""
    let terminal = try TerminalProcess(
      "\(command) --listen 127.0.0.1:0 --access-log \(folder.path)/log 2>told\(end)", in: folder.path)
    #expect(says("serving", folder))
    let server = try #require(try process(in: folder))
    kill(server, SIGHUP)
    #expect(says("no certificate to reload", folder))
    terminal.hangUp()
    #expect(says("stopping", folder))
    #expect(try HangGuard.waits { () throws -> Bool in try process(in: folder) == nil })
  }

  @Test func `a server started with nohup survives its terminal`() throws {
    let folder = try TemporaryFolder()
    let terminal = try TerminalProcess(
      "nohup passkey-server --listen 127.0.0.1:0 --access-log \(folder.path)/log 2>told", in: folder.path)
    #expect(says("serving", folder))
    terminal.hangUp()
    #expect(says("no certificate to reload", folder))
    let server = try #require(try process(in: folder))
    kill(server, SIGTERM)
    #expect(says("stopping", folder))
  }
}

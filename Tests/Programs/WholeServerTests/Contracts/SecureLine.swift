// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyServiceTestSupport
import PasskeyTestSupport

/// A TLS connection to a server as raxx.app, through OpenSSL's command line, so that the bytes of a request are sent as
/// they are. It connects again after the server closed the connection. Its calls block.
final class SecureLine {
  /// The connection ended before the reply.
  struct Ended: Error {
    let request: String
  }

  private let command: String
  private let folder: String
  private var program: PipedProgram?

  /// Connects to a local port with the certificate `server.crt` in the folder.
  init(port: UInt16, folder: String) {
    signal(SIGPIPE, SIG_IGN)
    self.folder = folder
    command =
      "openssl s_client -quiet -no_ign_eof -verify_return_error -verify_hostname raxx.app -servername raxx.app"
      + " -CAfile server.crt -connect 127.0.0.1:\(port) 2>/dev/null"
  }

  /// Creates `server.crt` and `server.key` in the folder.
  static func makeIdentity(in folder: String) throws -> String {
    try Shell.run(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=raxx.app -days 2"
        + " -addext subjectAltName=DNS:raxx.app -out server.crt -keyout server.key 2>openssl.log || cat openssl.log",
      in: folder)
  }

  /// Sends a request and waits for the reply.
  func ask(_ request: String) throws -> Answer {
    let program = try program ?? PipedProgram(shell: command, in: folder)
    self.program = nil
    var rest = Array(request.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(program.input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Ended(request: request) }
      rest = rest.dropFirst(count)
    }
    var received = ReceivedAnswer()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let answer = received.take() {
        if answer.header("connection")?.lowercased() != "close" { self.program = program }
        return Answer(answer)
      }
      let count = unsafe read(program.output, &chunk, chunk.count)
      guard count > 0 else { throw Ended(request: request) }
      received.bytes += chunk.prefix(count)
    }
  }
}

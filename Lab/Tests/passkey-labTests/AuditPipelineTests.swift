// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The script for CI systems, and the examples that call it.
@Suite struct AuditPipelineTests {
  private let place: TemporaryFolder

  init() throws {
    place = try TemporaryFolder()
    let told = try Shell.run(
      """
      cp \(projectFolder)/Examples/ci/audit.sh . && cp \(projectFolder)/Sources/Service/PasskeyProfiles/BuiltIn/raxx.json shop.json
      echo '{"accepted":[]}' >baseline.json
      printf '#!/bin/sh\\nexec sleep 600\\n' >start-server && chmod +x start-server
      """, in: place.path)
    #expect(told.isEmpty, "\(told)")
  }

  /// The commands of the page that run the script.
  private static var commands: [String] {
    get throws {
      let page = String(decoding: try File.bytes("\(projectFolder)/Lab/Documentation/Audit/CI.md"), as: UTF8.self)
      return page.split(separator: "\n").compactMap { (line) in
        line.firstRange(of: "AUDIT_SERVER=").map { (start) in
          let command = line[start.lowerBound...]
          return String(command.hasSuffix("'") ? command.dropLast() : command)
        }
      }
    }
  }

  @Test func `the command of each example audits a server and writes the reports`() throws {
    let commands = try Self.commands
    #expect(commands.count == 4)
    // One server for all; the examples start a program that does nothing.
    let server = try ServerProcess(
      "exec passkey-server --listen 127.0.0.1:0 --access-log log", in: place.path, ready: "serving raxx.app at")
    for command in Set(commands) {
      let command = command.replacing("localhost:8080", with: "127.0.0.1:\(server.port)")
        .replacing("--profile", with: "--only session.missing --profile")
      let told = try Shell.run("export PASSKEY_ORIGIN=https://raxx.app; \(command)", in: place.path)
      #expect(told.hasSuffix("0 fail, 0 accepted, 0 cannot tell, 1 pass\n"), "\(told)")
      let files = try Shell.run("ls audit; rm -r audit", in: place.path)
      #expect(files == "junit.xml\nreport.html\nreport.sarif\nserver.log\n")
    }
  }

  @Test func `a server that does not start ends the script`() throws {
    let told = try Shell.run(
      "AUDIT_SERVER='sh -c \"echo no database; exit 1\"' ./audit.sh --profile shop.json http://127.0.0.1:1",
      in: place.path)
    #expect(told.contains("audit.sh: error: the server did not start"), "\(told)")
    #expect(told.contains("no database"))
    #expect(told.hasSuffix("[3]\n"), "\(told)")
  }
}

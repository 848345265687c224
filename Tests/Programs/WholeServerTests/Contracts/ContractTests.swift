// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The wire contracts of the clients of Yapt, Aiday and Raxx.
struct ContractTests {
  @Test func `each client has recorded exchanges`() {
    let folders = Set(ContractFile.all.map { $0.prefix { $0 != "/" } })
    #expect(folders == ["aiday", "raxx", "yapt"])
  }

  @Test(arguments: ContractFile.all)
  func `a client's recorded exchanges succeed against the server over TLS`(path: String) async throws {
    try await ContractPlayer.play(ContractFile(path: path))
  }

  @Test(arguments: [
    (#"{"id":"x"}"#, []), (#"{"id":"x","more":1}"#, []), (#"{}"#, ["$.id is missing"]),
    (#"{"id":null}"#, ["$.id is null"]), (#"{"id":1}"#, ["$.id is not a string"]), ("", ["the body is empty"]),
    ("x", ["the body is not JSON"]), ("[]", ["$ is not an object"]),
  ])
  func `a missing, null or mistyped member is a fault, as for JSONDecoder`(body: String, faults: [String]) throws {
    var shape = ReplyShape()
    #expect(try shape.faults(of: body, against: #"{"id":"{{text}}","name?":"{{text}}"}"#) == faults)
  }

  @Test(arguments: [
    ("{{date}}", #""2026-11-22T15:12:14Z""#, true), ("{{date}}", #""2026-11-22T15:12:14.5Z""#, false),
    ("{{date}}", #""2026-11-22""#, false), ("{{date}}", "1790000000", false),
    ("{{uuid}}", #""0d9c3c1e-6b5e-4e0e-9a3f-3a6f1f6f2b11""#, true), ("{{uuid}}", #""0d9c3c1e""#, false),
    ("{{uuid}}", #""0d9c3c1e-6b5e-4e0e-9a3f-3a6f1f6f2b1g""#, false), ("{{bool}}", "false", true),
    ("{{bool}}", "0", false), ("{{bool}}", "null", false), ("{{strings}}", #"["a"]"#, true),
    ("{{strings}}", "[1]", false), ("{{strings}}", "null", false), ("{{integer}}", "7", true),
    ("{{integer}}", #""7""#, false), ("{{a|b}}", #""a""#, true), ("{{a|b}}", #""c""#, false),
    ("{{base64url}}", #""AQ""#, true), ("{{base64url}}", #""A+==""#, false), ("x", #""x""#, true),
    ("x", #""y""#, false), ("{{text}}", #""""#, false),
  ])
  func `a placeholder accepts its type only`(pattern: String, value: String, isAccepted: Bool) throws {
    var shape = ReplyShape()
    let faults = try shape.faults(of: "[\(value)]", against: #"["\#(pattern)"]"#)
    #expect(faults.isEmpty == isAccepted, "\(faults)")
  }

  @Test func `a captured value must return`() throws {
    var shape = ReplyShape()
    #expect(try shape.faults(of: #"{"id":"a"}"#, against: #"{"id":"{{who: text}}"}"#).isEmpty)
    #expect(try shape.faults(of: #"{"id":"a"}"#, against: #"{"id":"{{who}}"}"#).isEmpty)
    #expect(try shape.faults(of: #"{"id":"b"}"#, against: #"{"id":"{{who}}"}"#) == ["$.id is b instead of a"])
  }

  @Test func `a contract file is parsed into its requests and replies`() throws {
    let file = try ContractFile(
      """
      # A title.
      # server: --profile yapt

      ### asks
      POST /a HTTP/1.1
      Host: raxx.app

      {"a":1}

      HTTP/1.1 200
      Content-Type: application/json
      ! Set-Cookie

      {"b":"{{text}}"}

      ### approves
      $ user approve ada
      """)
    #expect(file.serverOptions == ["--profile", "yapt"] && file.steps.map(\.title) == ["asks", "approves"])
    guard case .exchange(let exchange) = file.steps[0].step, case .console(let command) = file.steps[1].step else {
      Issue.record("\(file)")
      return
    }
    #expect(exchange.head == ["POST /a HTTP/1.1", "Host: raxx.app"] && exchange.body == #"{"a":1}"#)
    #expect(exchange.status == "200" && exchange.reply == #"{"b":"{{text}}"}"# && command == "user approve ada")
    #expect(exchange.fields.map(\.name) == ["content-type", "!set-cookie"])
  }

  @Test(arguments: ["GET / HTTP/1.1\n", "### a\nGET / HTTP/1.1\n", "### a\nx\n\nHTTP/1.1 200\n"])
  func `a malformed file is refused`(text: String) {
    #expect(throws: ContractFile.Malformed.self) { try ContractFile(text) }
  }
}

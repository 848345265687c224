// SPDX-License-Identifier: Apache-2.0

import PasskeyPages
import PasskeyServiceTestSupport
import PasskeyTestSupport
import PasskeyTesting
import Passkeys
import Testing

/// The page that shows what a faulty response of a passkey does: it says of each fault what the service answers.
struct FaultPageTests {
  private func source(_ name: String) throws -> String {
    String(decoding: try File.bytes("\(projectFolder)/Sources/Service/PasskeyPages/Pages/\(name)"), as: UTF8.self)
  }

  /// Sends a response, and returns the code of the refusal, or nil.
  private func code(
    _ world: PagesWorld, _ ceremony: String, _ options: [UInt8], _ make: (String) async throws -> [UInt8]
  ) async throws -> String? {
    let begun = try await world.post("/api/auth/\(ceremony)/options", options)
    let response = try await make(String(decoding: begun.body, as: UTF8.self))
    let body = Array(#"{"credential":"#.utf8) + response + Array("}".utf8)
    let answer = try await world.post("/api/auth/\(ceremony)/verify", body)
    return answer.status.rawValue < 300 ? nil : try JSON.parse(answer.body).require("code").string
  }

  @Test func `the page has each fault with the codes of both refusals`() async throws {
    let world = try PagesWorld()
    let ada = try Person()
    func register(_ email: String, with fault: TestBrowser.Fault? = nil) async throws -> String? {
      try await code(world, "register", Array(#"{"email":"\#(email)"}"#.utf8)) { (options) in
        let response = try await ada.create(CreationOptions(json: options))
        return try fault?.json(of: response) ?? response.json
      }
    }
    #expect(try await register("ada@raxx.app") == nil)
    var lines: [String] = []
    for fault in TestBrowser.Fault.allCases {
      let registration = try await register("\(fault.rawValue)@raxx.app", with: fault)
      let signIn = try await code(world, "login", Array(#"{"email":"ada@raxx.app"}"#.utf8)) { (options) in
        let response = try await ada.get(RequestOptions(json: options))
        return try fault.json(of: response, key: ada.signingKey(of: response.id))
      }
      let codes = [registration, signIn].map { $0.map { "'\($0)'" } ?? "null" }
      lines.append("  '\(fault.rawValue)': [\(codes.joined(separator: ", "))],\n")
    }
    #expect(try source("faults.js").contains("const codes = {\n\(lines.joined())};"), "\(lines.joined())")
  }

  @Test func `the page says what each fault means`() throws {
    let texts = try JSON.parse([UInt8](source("strings.en.json").utf8)).require("faults").members
    #expect(texts.map(\.name) == TestBrowser.Fault.allCases.map(\.rawValue))
    #expect(try texts.map { try $0.value.string } == TestBrowser.Fault.allCases.map(\.summary))
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@testable import BrowserBridge

@Suite struct BrowserRequestTests {
  @Test(arguments: [
    "", "{", "[]", "null", "7", #""hello""#, "{}", #"{"type":7}"#, #"{"type":"unknown"}"#, #"{"type":"create"}"#,
    #"{"type":"create","id":1}"#, #"{"type":"get","id":1.5,"details":""}"#,
    #"{"type":"get","id":"1","details":""}"#, #"{"type":"get","id":1,"details":{}}"#, #"{"type":"cancel"}"#,
    #"{"type":"answer","question":1}"#, #"{"type":"answer","question":1,"answer":"maybe"}"#,
    #"{"type":"answer","question":1,"answer":7}"#, #"{"type":"answer","question":1,"answer":{}}"#,
    #"{"type":"answer","question":1,"answer":{"choice":-99999999999999999999}}"#,
    #"{"type":"hello","type":"hello"}"#,
  ]) func `a malformed message is rejected`(message: String) {
    let error = #expect(throws: BrowserError.self) { try BrowserRequest(parsing: [UInt8](message.utf8)[...]) }
    #expect(error?.code == .messageMalformed)
  }

  @Test func `deep nesting is rejected`() {
    let message = String(repeating: "[", count: 10_000)
    #expect(throws: BrowserError.self) { try BrowserRequest(parsing: [UInt8](message.utf8)[...]) }
  }

  @Test func `unknown members are ignored, so that a newer extension works`() throws {
    // Chromium's identifiers are signed.
    let request = try BrowserRequest(parsing: [UInt8](#"{"type":"cancel","id":-3,"reason":"tab"}"#.utf8)[...])
    guard case .cancel(let id) = request else { throw BrowserError(.messageMalformed) }
    #expect(id == -3)
  }

  @Test func `a page's call has the origin that the browser names`() throws {
    let details =
      #"{"challenge":"AAAA","extensions":{"remoteDesktopClientOverride":{"origin":"https://a.example","sameOriginWithAncestors":false}}}"#
    let call = try PageCall(details: [UInt8](details.utf8))
    #expect(call.origin.text == "https://a.example")
    #expect(call.isCrossOrigin)
  }

  @Test(arguments: [
    "{}", #"{"extensions":null}"#, #"{"extensions":{}}"#, #"{"extensions":{"remoteDesktopClientOverride":null}}"#,
    #"{"extensions":{"remoteDesktopClientOverride":{}}}"#,
    #"{"extensions":{"remoteDesktopClientOverride":{"origin":"https://a.example"}}}"#,
    #"{"extensions":{"remoteDesktopClientOverride":{"origin":"https://a.example/path","sameOriginWithAncestors":true}}}"#,
    #"{"extensions":{"remoteDesktopClientOverride":{"origin":7,"sameOriginWithAncestors":true}}}"#,
  ]) func `a call without an origin is rejected`(details: String) {
    let error = #expect(throws: BrowserError.self) { try PageCall(details: [UInt8](details.utf8)) }
    #expect(error?.code == .originMissing)
  }
}

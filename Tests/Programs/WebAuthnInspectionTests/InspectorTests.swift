// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection

@Suite struct InspectorTests {
  @Test func `an RP ID hash is shown with the matching domain of the origin, escaped`() throws {
    #expect(
      try Self.hashNote(origin: "https://sub.raxx.example:8443/x", id: "raxx.example") == "SHA-256 of raxx.example")
    #expect(try Self.hashNote(origin: "https://sub.raxx.example", id: "other.example") == nil)
    #expect(
      try Self.hashNote(origin: "https://\u{1b}[31m\u{202e}", id: "\u{1b}[31m\u{202e}")
        == #"SHA-256 of \u{1b}[31m\u{202e}"#)
  }

  @Test func `an overlong host yields no candidate RP IDs`() throws {
    let longest = String(repeating: "a.", count: 126) + "b"
    #expect(try Self.hashNote(origin: "https://" + longest, id: "b") == "SHA-256 of b")
    #expect(try Self.hashNote(origin: "https://a" + longest, id: "b") == nil)
  }

  private static let options = #"{"challenge":"MDEyMzQ1Njc4OWFiY2RlZg","rpId":"raxx.app"}"#

  @Test(arguments: [
    "\"\(Self.encoded(Self.options))\"", "'\(Self.encoded(Self.options))',", "`\(Self.encoded(Self.options))`",
    Self.options.replacing("\"", with: "\\\""), "\"\(Self.options.replacing("\"", with: "\\\""))\"",
  ])
  func `quoted and escaped text is recognized like its content`(input: String) throws {
    let inspection = try Inspection(of: [UInt8](input.utf8))
    #expect(inspection.kind == .requestOptions)
    #expect(inspection.bytes == [UInt8](Self.options.utf8))
  }

  @Test(arguments: [#"\"*\""#, "options: '*',", #"\"options\": \"*\""#, #"\u0022*\u0022"#])
  func `escaped quotes and a member's name are skipped`(form: String) throws {
    let input = form.replacing("*", with: Self.encoded(Self.options))
    let inspection = try Inspection(of: [UInt8](input.utf8))
    #expect(inspection.kind == .requestOptions)
    #expect(inspection.form == .hex)
  }

  private static func encoded(_ text: String) -> String { Hex.encode([UInt8](text.utf8)[...]) }

  @Test(arguments: 1...3) func `base64url that was cut is inspected as far as it decodes`(cut: Int) throws {
    let object = try File.bytes("\(projectFolder)/Examples/artifacts/attestation-object.b64u")
    // A multiple of four, and then less.
    let text = object.prefix(152 - cut)
    let inspection = try Inspection(of: Array(text))
    #expect(inspection.kind == .attestationObject)
    #expect(inspection.form == .base64url)
    #expect(!inspection.tree.isFlawless)
    // One character more than a multiple of four never decodes.
    #expect(cut != 3 || inspection.tree.remarks == ["the text was cut: its last character does not decode"])
  }

  @Test(arguments: [
    "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n",
    "00000000: 4995 6b6a 0d0a  I.kj..\n", "0x12, 0x34", "0 apples", "1.5", "08:30 started",
  ])
  func `text that is no artifact is not taken for bytes`(text: String) {
    #expect(throws: InspectionError.self) { try Inspection(of: [UInt8](text.utf8)) }
  }

  @Test func `hexadecimal digits are not read as base64 under a kind`() throws {
    // The same characters are a valid item in base64url.
    for text in ["10c263616263", "0x10c263616263", "10:c2:63:61:62:63"] {
      let inspection = try Inspection(of: [UInt8](text.utf8), as: .cbor)
      #expect(inspection.form == .hex)
      #expect(inspection.tree.firstProblem?.problem.code == "cbor.trailing-bytes")
    }
    #expect(try Inspection(of: [UInt8]("ggEC".utf8), as: .cbor).form == .base64url)
  }

  @Test func `an odd number of hexadecimal digits is a problem`() throws {
    let inspection = try Inspection(of: [UInt8]("83010203f".utf8), as: .cbor)
    #expect(inspection.form == .hex)
    #expect(inspection.bytes == [0x83, 0x01, 0x02, 0x03])
    #expect(inspection.tree.problems.map(\.code) == ["hex.odd-length"])
  }

  @Test func `the parts of an Android key description have their names`() throws {
    let cases = try CaseFile.cases(in: File.bytes("\(projectFolder)/Vectors/attestation-android-key.json")[...])
    func description(of id: String) throws -> InspectionNode {
      let recorded = try #require(cases.first { $0.id == "attestation-android-key/\(id)" })
      let tree = try Inspection(of: [UInt8](recorded.response)).tree
      return try #require(tree.first { $0.name == "Android key description" })
    }
    let valid = try description(of: "booted-as-required")
    #expect(
      valid.children.map(\.name) == [
        "attestationVersion", "attestationSecurityLevel", "keyMintVersion", "keyMintSecurityLevel",
        "attestationChallenge", "uniqueId", "softwareEnforced", "hardwareEnforced",
      ])
    #expect(valid.children[1].note == "trusted environment")
    let hardware = try #require(valid.children.last)
    #expect(hardware.first { $0.name == "purpose" }?.children.map(\.note) == ["sign"])
    #expect(hardware.first { $0.name == "origin" }?.note == "generated")
    let root = hardware.first { $0.name == "rootOfTrust" }
    #expect(root?.children.map(\.name) == ["verifiedBootKey", "deviceLocked", "verifiedBootState"])
    #expect(hardware.first { $0.name.hasPrefix("[7") } == nil)
    #expect(valid.isFlawless)
    #expect(!(try description(of: "description-malformed").isFlawless))
  }

  @Test func `a challenge is not an artifact, and its length suggests what it is`() {
    let challenge = [UInt8](Base64URL.encode([UInt8](repeating: 0xc3, count: 32)).utf8)
    #expect(
      throws: InspectionError.unrecognized(byteCount: 43, resemblance: .opaqueBytes(count: 32, form: .base64url))
    ) { try Inspection(of: challenge) }
  }

  @Test(arguments: ["\"*\"", "challenge: '*',", "\\u0022*\\u0022", "\"challenge\": \"*\"", "challenge: *"])
  func `a quoted or named challenge is described like its content`(form: String) {
    let challenge = Base64URL.encode([UInt8](repeating: 0xc3, count: 32))
    let input = [UInt8](form.replacing("*", with: challenge).utf8)
    #expect(
      throws: InspectionError.unrecognized(
        byteCount: input.count, resemblance: .opaqueBytes(count: 32, form: .base64url))
    ) { try Inspection(of: input) }
  }

  @Test func `escaped slashes of Base64 are read`() throws {
    // Every third "?" ends in six set bits, which are "/" in Base64.
    let options = #"{"challenge":"MDEyMzQ1Njc4OWFiY2RlZg","rpId":"raxx.app","x":"????"}"#
    let text = Base64.encode([UInt8](options.utf8)[...]).replacing("/", with: #"\/"#)
    #expect(text.contains(#"\/"#))
    let inspection = try Inspection(of: [UInt8](text.utf8))
    #expect(inspection.kind == .requestOptions)
    #expect(inspection.bytes == [UInt8](options.utf8))
  }

  @Test(
    arguments: ["%", "'%'", "aaguid: \"%\""],
    ["70617373-6b65-792d-6578-616d706c6573", "08987058-CADC-4B81-B6E1-30DE50DCBE96"])
  func `a UUID resembles an AAGUID`(form: String, uuid: String) {
    let input = [UInt8](form.replacing("%", with: uuid).utf8)
    #expect(throws: InspectionError.unrecognized(byteCount: input.count, resemblance: .uuid)) {
      try Inspection(of: input)
    }
  }

  @Test func `a short value resembles a user handle, and hex digits between colons are no name`() {
    #expect(throws: InspectionError.unrecognized(byteCount: 8, resemblance: .opaqueBytes(count: 6, form: .base64url))) {
      try Inspection(of: [UInt8]("dXNlci0x".utf8))
    }
    #expect(throws: InspectionError.unrecognized(byteCount: 14, resemblance: .opaqueBytes(count: 5, form: .hex))) {
      try Inspection(of: [UInt8]("fe:ed:fa:ce:00".utf8))
    }
  }

  @Test func `ids are rendered in base64url`() throws {
    let text = try Inspection(of: [UInt8](Self.options.utf8)).text()
    #expect(text.contains("  challenge: MDEyMzQ1Njc4OWFiY2RlZg\n"))
  }

  private static func hashNote(origin: String, id: String) throws -> String? {
    let clientData = JSON.writeObject { $0.write("origin", .string(origin)) }
    let authenticatorData = Digest.sha256([UInt8](id.utf8)[...]) + [1, 0, 0, 0, 0]
    let response = JSON.writeObject { output in
      output.writeObject("response") {
        $0.write("clientDataJSON", .base64URL(clientData))
        $0.write("authenticatorData", .base64URL(authenticatorData))
        $0.write("signature", "")
      }
    }
    let tree = try Inspection(of: response, as: nil).tree
    let data = tree.children.first?.children.first { $0.name == "authenticatorData" }
    return try #require(data?.children.first).note
  }
}

extension InspectionNode {
  /// Returns the first part, in the order of the tree, that meets a condition.
  fileprivate func first(where meets: (InspectionNode) -> Bool) -> InspectionNode? {
    if meets(self) { return self }
    for child in children {
      if let found = child.first(where: meets) { return found }
    }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection

/// The inputs of `Tests/Programs/PastedInputs.json`: artifacts as programs print them, and text without an artifact.
@Suite struct PastedInputTests {
  struct Pasted: CustomTestStringConvertible, Sendable {
    let name: String
    let input: [UInt8]
    let kind: String
    let wrapper: String?
    let count: Int?

    var testDescription: String { name }
  }

  private static func table() throws -> [Pasted] {
    let text = try File.bytes("\(projectFolder)/Tests/Programs/PastedInputs.json")
    return try JSON.parse(text[...], maximumSize: text.count).array.map { (row) in
      Pasted(
        name: try row.require("name").string,
        input: try row["hex"].map { try Hex.decode($0.string) } ?? [UInt8](row.require("input").string.utf8),
        kind: try row.require("kind").string, wrapper: try row["wrapper"]?.string,
        count: try row["artifacts"]?.integer())
    }
  }

  @Test func `each pasted input is recognized as what it is`() throws {
    let table = try Self.table()
    #expect(table.count >= 100)
    for pasted in table {
      let inspection = try? Inspection(of: pasted.input)
      #expect(inspection?.kind.rawValue ?? "unknown" == pasted.kind, "\(pasted.name)")
      if let wrapper = pasted.wrapper {
        #expect(inspection?.wrappers.contains(wrapper) ?? false, "\(pasted.name)")
      }
      if let count = pasted.count { #expect(inspection?.tree.children.count == count, "\(pasted.name)") }
      if inspection != nil { #expect(inspection?.tree.isFlawless == true, "\(pasted.name)") }
    }
  }

  @Test func `the first line names the wrapper`() throws {
    let curl = "curl https://raxx.app/ --json '{\"challenge\":\"MDEyMzQ1Njc4OWFiY2RlZg\",\"rpId\":\"raxx.app\"}'"
    let text = try Inspection(of: [UInt8](curl.utf8)).text()
    #expect(text.hasPrefix("request options  (56 bytes, from a curl command)\n"))
  }

  @Test func `the artifacts of a large HAR file are listed, and other large text is refused`() throws {
    let options = #"{\"challenge\":\"MDEyMzQ1Njc4OWFiY2RlZg\",\"rpId\":\"raxx.app\"}"#
    func entry(_ path: String, _ type: String, _ body: String) -> String {
      """
      {"request":{"method":"POST","url":"https://raxx.app/\(path)"},
      "response":{"content":{"mimeType":"\(type)","text":"\(body)"}}}
      """
    }
    let picture = entry("a.png", "image/png", String(repeating: "MDEy", count: 100_000))
    // A script may name a challenge.
    let script = entry("a.js", "text/javascript", options + String(repeating: " ", count: 300_000))
    let answer = entry("options", "application/json", options)
    func archive(_ entries: String...) -> [UInt8] {
      [UInt8](#"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#.utf8)
    }
    let one = try Inspection(of: archive(picture, script, answer))
    #expect(one.kind == .requestOptions && one.tree.isFlawless)
    #expect(one.wrappers.last == "POST https://raxx.app/options response")
    let other = entry("again", "application/json", options.replacing("raxx.app", with: "example.com"))
    let two = try Inspection(of: archive(picture, answer, other))
    #expect(two.tree.children.map(\.name).last == "POST https://raxx.app/again response")
    #expect(two.tree.children.count == 2 && two.tree.isFlawless)
    #expect(throws: InspectionError.self) { try Inspection(of: archive(picture, answer), as: .attestationObject) }
    // Artifacts of 256 KiB together, so that their trees need no more memory than one of that size.
    let large = (1...3).map { (number) in
      let filler = String(repeating: "\(number)", count: 100_000)
      return entry("\(number)", "application/json", options.replacing("raxx.app", with: filler))
    }
    let cut = try Inspection(of: archive(large[0], large[1], large[2]))
    #expect(cut.tree.children.count == 2 && cut.tree.remarks.last == "artifacts after these are not shown")
    let input = archive(picture, script)
    #expect(throws: InspectionError.unrecognized(byteCount: input.count, resemblance: nil)) {
      try Inspection(of: input)
    }
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: Inspection.maximumByteCount + 1)
    #expect(throws: InspectionError.tooLarge) { try Inspection(of: text) }
    #expect("\(InspectionError.tooLarge)" == "larger than 256 KiB, and no HAR file")
  }

  @Test func `truncated and mutated inputs never stop the program`() throws {
    let inputs = try Self.table().map(\.input)
    try PropertyRuns.check(default: 1_000) { generator in
      let input = Mutation.mutated(inputs.randomElement(using: &generator) ?? [], using: &generator)
      _ = try? Inspection(of: input).text()
      _ = try? Inspection(of: Array(input.prefix(Int.random(in: 0...input.count, using: &generator)))).json()
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyPages
import PasskeyTestSupport
import Testing

/// The files for pages, as the server has them.
struct PageScriptTests {
  @Test func `the script is smaller than 12 KB compressed, with its comments`() async throws {
    let folder = try TemporaryFolder()
    try File.write(PageScript.passkey.text, to: "\(folder.path)/passkey.js")
    let size = try await waiting { [path = folder.path] in try Shell.run("gzip -9c passkey.js | wc -c", in: path) }
    let count = try #require(Int(size.filter(\.isNumber)))
    #expect(1_000..<12_288 ~= count)
  }

  @Test func `the path and the integrity follow from the content`() throws {
    let script = PageScript.passkey
    let digest = Digest.sha384(script.text[...])
    #expect(script.integrity == "sha384-\(Base64.encode(digest))")
    #expect(script.path.hasPrefix("/passkey-") && script.path.hasSuffix(".js"))
    #expect(script.path.contains(Base64URL.encode(digest.prefix(9))))
    #expect(script.reference == WellKnownDocuments.ScriptReference(path: script.path, integrity: script.integrity))
    #expect(PageScript.routes.map(\.pattern) == [script.path, "/passkey.js", "/passkey.d.ts"])
  }

  @Test func `every method of the script has a type`() {
    let (script, types) = (
      String(decoding: PageScript.passkey.text, as: UTF8.self), String(decoding: PageScript.declarations, as: UTF8.self)
    )
    let methods = script.split(separator: "\n").compactMap { (line) -> Substring? in
      guard line.hasPrefix("  "), !line.hasPrefix("   "), line.hasSuffix(" {"), !line.hasPrefix("  #"),
        let end = line.firstIndex(of: "(")
      else { return nil }
      return line[..<end].split(separator: " ").last
    }
    #expect(methods.count > 15)
    let words: Set<Substring> = ["constructor", "for", "if", "switch", "while"]
    for method in methods where !words.contains(method) && !method.hasPrefix("#") {
      #expect(types.contains("\(method)("), "\(method)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyPages
import PasskeyTestSupport
import Testing

/// The files of the pages, and those of a folder in their place.
struct PageFileTests {
  private func source(_ name: String) throws -> String {
    String(decoding: try File.bytes("\(projectFolder)/Sources/Service/PasskeyPages/Pages/\(name)"), as: UTF8.self)
  }

  private static let scripts = ["ui", "dialog", "sign-in", "account", "confirm", "admin", "faults", "not-found"]

  private func sections() throws -> [String: [String: [String]]] {
    let texts = try JSON.parse([UInt8](source("strings.json").utf8))
    var sections: [String: [String: [String]]] = [:]
    for section in try texts.members {
      for text in try section.value.members {
        sections[section.name, default: [:]][text.name] = try text.value.members.map(\.name)
      }
    }
    return sections
  }

  @Test func `every text has both languages, and every error has at least the German one`() throws {
    let sections = try sections()
    #expect(Set(sections.keys) == ["page", "text", "errors", "faults"])
    for section in ["page", "text", "faults"] {
      for (name, languages) in sections[section] ?? [:] { #expect(languages == ["en", "de"], "\(name)") }
    }
    for (code, languages) in sections["errors"] ?? [:] { #expect(languages.contains("de"), "\(code)") }
  }

  @Test func `scripts and pages use every text, and no other`() throws {
    let sections = try sections()
    let scripts = try Self.scripts.map { try source("\($0).js") }.joined()
    let pages = try ["frame", "sign-in", "account", "confirm", "admin", "faults", "not-found"].map {
      try source("\($0).html")
    }
    .joined()
    let texts = Set(sections["text", default: [:]].keys)
    for name in sections["page", default: [:]].keys { #expect(pages.contains("{{\(name)}}"), "\(name)") }
    // Some names are put together, such as state.active.
    let families = ["state.", "notice.", "effect.", "advice.", "event."]
    for name in texts where !families.contains(where: { name.hasPrefix($0) }) {
      #expect(scripts.contains("'\(name)'"), "\(name)")
    }
    let used = scripts.matches(of: /say\('([A-Za-z.]+)'/).map { String($0.1) }
    #expect(used.count > 50)
    for name in used { #expect(texts.contains(name), "\(name)") }
  }

  @Test func `every event of the outbox has a text, and every text of an event is of one that the service has`() throws
  {
    func events(_ file: String) throws -> Set<String> {
      let source = String(
        decoding: try File.bytes("\(projectFolder)/Sources/Service/PasskeyService/\(file)"), as: UTF8.self)
      return Set(source.matches(of: /Self\(rawValue: "([a-z.-]+)"\)/).map { String($0.1) })
    }
    let notices = try events("Outbox/NoticeEvent.swift")
    let texts = Set(
      try sections()["text", default: [:]].keys.filter { $0.hasPrefix("event.") }.map { $0.dropFirst(6) }.map(
        String.init))
    #expect(notices.count > 30 && notices.subtracting(texts) == [])
    #expect(texts.subtracting(notices).subtracting(try events("Audit/AuditEvent.swift")) == [])
  }

  @Test func `every error with a sentence has a code of the server or the script`() throws {
    let codes = Set(
      String(decoding: try File.bytes("\(projectFolder)/Vectors/error-codes.txt"), as: UTF8.self)
        .split(whereSeparator: { $0 == "\n" || $0 == " " }).map(String.init))
    let script = String(decoding: PageScript.passkey.text, as: UTF8.self)
    for code in try sections()["errors", default: [:]].keys {
      #expect(codes.contains(code) || script.contains("'\(code)'"), "\(code)")
    }
  }

  @Test func `scripts are sent without comments, and a folder's as they are`() async throws {
    let own = "// Mine\n  export const mine = 1;\n"
    let world = try PagesWorld(replacing: ["dialog.js": Array(own.utf8)])
    #expect(try await world.text(world.path("dialog.js")) == own)
    for name in Self.scripts.filter({ $0 != "dialog" }) + ["passkey"] {
      let sent = try await world.text(world.path("\(name).js")).split(separator: "\n", omittingEmptySubsequences: false)
      let text =
        name == "passkey" ? String(decoding: PageScript.passkey.text, as: UTF8.self) : try source("\(name).js")
      #expect(sent.first == "// SPDX-License-Identifier: Apache-2.0")
      for line in sent.dropFirst() {
        #expect(
          line.first.map { $0 != " " } == true && !line.hasPrefix("//") && !line.hasPrefix("/*")
            && !line.hasPrefix("* "))
      }
      // No text goes over the end of a line, and each line of code is there.
      var rest = sent[...]
      for line in text.split(separator: "\n") where !line.contains("//") && !line.contains("*") {
        #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(name): \(line)")
        let code = line.drop { $0 == " " }
        guard let index = rest.firstIndex(of: code) else {
          Issue.record("\(name): \(line)")
          break
        }
        rest = rest[(index + 1)...]
      }
    }
  }

  @Test func `a folder replaces single texts`() async throws {
    let own = #"{"page": {"signInLead": {"de": "Willkommen <hier>"}}, "text": {"retry": {"en": "Once more"}}}"#
    let world = try PagesWorld(replacing: ["strings.json": Array(own.utf8)])
    #expect(try await world.text("/", ["accept-language": "de"]).contains("Willkommen &lt;hier&gt;"))
    #expect(try await world.text("/").contains("There is no password."))
    let script = try await world.text(world.path("site.js"))
    #expect(script.contains(#""retry":"Once more""#) && script.contains(#""cancel":"Cancel""#))
  }

  @Test(arguments: [
    ("strings.json", "[]", PagesError.Code.textsMalformed), ("strings.json", #"{"page": 1}"#, .textsMalformed),
    ("strings.json", #"{"page": {"signIn": {"en": 1}}}"#, .textsMalformed),
    ("strings.json", #"{"page": {"signIn": {"en": "In", "fr": "Connexion"}}}"#, .languageUnsupported),
    ("sign-in.html", "<h1>{{nothing}}</h1>", .textMissing), ("frame.html", "<title>{{title", .pageMalformed),
  ])
  func `a folder with an invalid file is refused`(name: String, text: String, code: PagesError.Code) throws {
    let error = #expect(throws: PagesError.self) { try SitePages.validate([name: Array(text.utf8)]) }
    #expect(error?.code == code && error?.file == name)
    #expect(throws: PagesError.self) { try PagesWorld(replacing: [name: Array(text.utf8)]) }
  }

  @Test func `a page that is not UTF-8 is refused`() throws {
    let error = #expect(throws: PagesError.self) { try SitePages.validate(["admin.html": [0xFF]]) }
    #expect(error?.description == "pages.page-malformed (admin.html): not UTF-8")
    try SitePages.validate(["admin.html": [], "theme.css": [0xFF]])
  }
}

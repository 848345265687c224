// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyPages
import PasskeyTestSupport
import Passkeys
import Testing

@testable import PasskeyService

/// The files of the pages, and those of a folder in their place.
struct PageFileTests {
  private func source(_ name: String) throws -> String {
    String(decoding: try File.bytes("\(projectFolder)/Sources/Service/PasskeyPages/Pages/\(name)"), as: UTF8.self)
  }

  private static let scripts = [
    "ui", "dialog", "sign-in", "account", "confirm", "admin", "faults", "not-found", "about",
  ]

  private static let languages = ["en", "de", "fr", "es"]

  /// The texts of a language, by section and name.
  private func sections(_ language: String = "de") throws -> [String: [String: String]] {
    var sections: [String: [String: String]] = [:]
    for section in try JSON.parse([UInt8](source("strings.\(language).json").utf8)).members {
      for text in try section.value.members { sections[section.name, default: [:]][text.name] = try text.value.string }
    }
    return sections
  }

  @Test(arguments: languages)
  func `a language has every text, with the same placeholders`(_ language: String) throws {
    let (own, german) = (try sections(language), try sections())
    #expect(Set(own.keys) == Set(german.keys))
    let script = String(decoding: PageScript.passkey.text, as: UTF8.self)
    for (section, texts) in german {
      // The English sentences of the script's own errors are in the script.
      let expected = texts.keys.filter { language != "en" || section != "errors" || !script.contains("  '\($0)': '") }
      #expect(Set(expected) == Set(own[section, default: [:]].keys), "\(section)")
      for name in expected {
        let text = own[section]?[name] ?? ""
        #expect(!text.isEmpty && !text.hasPrefix(" ") && !text.hasSuffix(" "), "\(name)")
        let placeholders = [text, texts[name] ?? ""].map { Set($0.matches(of: /\{\w+\}/).map { String($0.0) }) }
        #expect(placeholders[0] == placeholders[1], "\(name)")
      }
    }
  }

  @Test func `scripts and pages use every text, and no other`() throws {
    let sections = try sections()
    let scripts = try Self.scripts.map { try source("\($0).js") }.joined()
    let pages = try ["frame", "sign-in", "account", "confirm", "admin", "faults", "not-found", "about"].map {
      try source("\($0).html")
    }
    .joined()
    // The server writes the links itself.
    let written = ["languageName", "moreLinks", "privacy", "imprint", "help"]
    for name in sections["page", default: [:]].keys where !written.contains(name) {
      #expect(pages.contains("{{\(name)}}"), "\(name)")
    }
    let texts = Set(["text", "administration", "development"].flatMap { sections[$0, default: [:]].keys })
    // Some names are put together, such as state.active.
    let families = ["state.", "notice.", "effect.", "advice.", "event."]
    for name in texts where !families.contains(where: { name.hasPrefix($0) }) {
      #expect(scripts.contains("'\(name)'"), "\(name)")
    }
    let used = scripts.matches(of: /say\('([A-Za-z.]+)'/).map { String($0.1) }
    #expect(used.count > 50)
    for name in used { #expect(texts.contains(name), "\(name)") }
  }

  @Test(arguments: [("administration", "admin"), ("development", "faults")])
  func `the texts of one script are not in the first visit`(section: String, script: String) throws {
    let others = try Self.scripts.filter { $0 != script }.map { try source("\($0).js") }.joined()
    for name in try sections()[section, default: [:]].keys { #expect(!others.contains("say('\(name)'"), "\(name)") }
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
      try sections()["administration", default: [:]].keys.filter { $0.hasPrefix("event.") }.map { $0.dropFirst(6) }.map(
        String.init))
    #expect(notices.count > 30 && notices.subtracting(texts) == [])
    #expect(texts.subtracting(notices).subtracting(try events("Audit/AuditEvent.swift")) == [])
  }

  @Test func `every error that reaches a person has a sentence, and every sentence is of such an error`() throws {
    let script = String(decoding: PageScript.passkey.text, as: UTF8.self)
    let own = Set(script.matches(of: /(?m)^ {2}'([a-z.-]+)': '/).map { String($0.1) })
    #expect(own.count > 30)
    // No client gets what keeps a server from starting, or what `audit verify` finds.
    let service = Set(ServiceError.Code.allCases.map { ServiceError($0).publicCode }).subtracting([
      .configurationInvalid, .storePartyDiffers, .storeSecretDiffers,
    ])
    let endpoints = Set(EndpointError.Code.allCases).subtracting([
      .cannotListen, .certificateUnusable, .cannotStart, .routeAmbiguous,
    ])
    let codes = own.union(service.map(\.rawValue)).union(endpoints.map(\.rawValue)).union(
      ProfileError.Code.allCases.map(\.rawValue).filter { $0.hasPrefix("message.") })
    func area(_ code: String) -> String { code.prefix { $0 != "." } + ".*" }
    let sentences = try Set(sections()["errors", default: [:]].keys)
    for code in codes { #expect(sentences.contains(code) || sentences.contains(area(code)), "\(code)") }
    for code in sentences { #expect(codes.contains(code) || codes.contains { area($0) == code }, "\(code)") }
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
    let world = try PagesWorld(replacing: [
      "strings.de.json": Array(#"{"page": {"signInLead": "Willkommen <hier>"}}"#.utf8),
      "strings.en.json": Array(#"{"text": {"retry": "Once more"}}"#.utf8),
    ])
    #expect(try await world.text("/", ["accept-language": "de"]).contains("Willkommen &lt;hier&gt;"))
    #expect(try await world.text("/").contains("There is no password."))
    let script = try await world.text(world.path("site.js"))
    #expect(script.contains(#""retry":"Once more""#) && script.contains(#""cancel":"Cancel""#))
  }

  @Test func `a folder adds a language, whose other texts are in English`() async throws {
    let own = #"{"page": {"languageName": "Italiano", "signInLead": "Benvenuti"}}"#
    let files = ["strings.it.json": Array(own.utf8)]
    let world = try PagesWorld(replacing: files)
    let page = try await world.text("/", ["accept-language": "it, de;q=0.5"])
    #expect(page.contains(#"<html lang="it""#) && page.contains("Benvenuti") && page.contains("Create an account"))
    #expect(try await world.text("/").contains(#"<a href="?language=it" lang="it" hreflang="it">Italiano</a>"#))
    let missing = try SitePages.missingTexts(in: files)
    #expect(missing.map(\.file) == ["strings.it.json"])
    #expect(missing.first?.names.contains("createAccount") == true)
    // A language of the release lacks none.
    #expect(try SitePages.missingTexts(in: ["strings.fr.json": Array("{}".utf8)]).isEmpty)
  }

  @Test func `an action is described with the texts of each language`() async throws {
    let actions = #"""
      {"POST /api/payments": {"title": "confirmTitle", "rows": [
        {"member": "to", "label": "account"}, {"member": "amount", "label": "code", "format": "money", "currency": "EUR"},
        {"member": "kind", "label": "kind", "values": {"fast": "retry"}}]}}
      """#
    let world = try PagesWorld(replacing: ["actions.json": Array(actions.utf8)])
    let german = try await world.text(world.path("site.js", "de"))
    for part in [
      #"export const actions = {"POST /api/payments":{"title":"Bestätigen","rows":[{"member":"to","label":"Konto","#,
      #""format":"money","currency":"EUR""#, #""values":{"fast":"Erneut versuchen"}"#,
    ] {
      #expect(german.contains(part), "\(part)")
    }
    let plain = try PagesWorld()
    #expect(try await plain.text(plain.path("site.js")).contains("export const actions = {};"))
  }

  @Test func `images and fonts of a folder are served beside the pages, and images run no script`() async throws {
    let files = ["logo.svg": Array("<svg/>".utf8), "face.woff2": [1, 2], "photo.JPG": [3]]
    let world = try PagesWorld(replacing: files)
    for (name, type) in [("logo.svg", "image/svg+xml"), ("face.woff2", "font/woff2"), ("photo.JPG", "image/jpeg")] {
      let response = try await world.get(world.path(name))
      #expect(response.status == .ok && response.headers["content-type"] == type && response.body == files[name])
      #expect(SitePages.uses(name))
    }
    for name in ["logo.svg", "icon.svg"] {
      let policy = try await world.get(world.path(name)).headers["content-security-policy"]
      #expect(policy == "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    }
    for name in ["notes.txt", "a b.png", "../x.png", ".hidden.png", "png"] { #expect(!SitePages.uses(name), "\(name)") }
    #expect(SitePages.files.keys.allSatisfy { SitePages.uses($0) } && SitePages.files["strings.fr.json"] != nil)
    try SitePages.validate(SitePages.files)
  }

  @Test(arguments: [
    ("strings.de.json", "[]", PagesError.Code.textsMalformed), ("strings.de.json", #"{"page": 1}"#, .textsMalformed),
    ("strings.en.json", #"{"page": {"signIn": {"en": "In"}}}"#, .textsMalformed),
    ("strings.it.json", #"{"page": {"signIn": "Accedi"}}"#, .textMissing),
    ("actions.json", "[]", .actionsMalformed), ("actions.json", #"{"POST /a": {}}"#, .actionsMalformed),
    ("actions.json", #"{"POST /a": {"rows": [{"member": "a", "label": "nothing"}]}}"#, .textMissing),
    ("actions.json", #"{"POST /a": {"rows": [{"member": "a", "label": "code", "format": "x"}]}}"#, .actionsMalformed),
    (
      "actions.json", #"{"POST /a": {"rows": [{"member": "a", "label": "code", "format": "money"}]}}"#,
      .actionsMalformed
    ),
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

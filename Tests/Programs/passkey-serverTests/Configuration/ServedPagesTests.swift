// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import PasskeyFormats
import PasskeyHTTP
import PasskeyPages
import PasskeyProfiles
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty

@testable import passkey_server

/// The setting of the web pages.
@Suite struct ServedPagesTests {
  private static func configuration(_ arguments: [String]) throws -> ServerConfiguration {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    return try ServerConfiguration(
      Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in
        throw .inputOutput("no \(path)")
      })
  }

  @Test func `there are no pages unless the setting says so`() throws {
    #expect(try Self.configuration([]).pages == nil)
    #expect(try Self.configuration(["--pages", "off", "--profile", "aiday"]).pages == nil)
    #expect(try Self.configuration(["--pages", "on"]).pages?.description == "on")
  }

  @Test func `pages on this machine need the RP ID localhost, and a warning names the command`() throws {
    let refused = try Self.configuration(["--pages", "on", "--listen", "127.0.0.1:8443"])
    #expect(
      refused.warnings == [
        "browsers refuse passkeys of raxx.app on the pages at http://127.0.0.1:8443; to try the pages on this machine, run: "
          + "passkey-server --pages on --rp-id localhost"
      ])
    #expect(refused.pageOrigin == nil)
    let local = try Self.configuration(["--pages", "on", "--rp-id", "localhost"])
    #expect(local.warnings == [] && local.pageOrigin == "http://localhost:8080")
    // A proxy serves the pages under their own name.
    let behindProxy = try Self.configuration(["--pages", "on", "--trusted-proxy", "127.0.0.1"])
    #expect(behindProxy.warnings == [] && behindProxy.pageOrigin == "https://raxx.app")
    #expect(try Self.configuration([]).warnings == [])
  }

  @Test func `the files of a folder replace those of the release`() throws {
    let folder = try TemporaryFolder()
    try File.write(Array(":root {}".utf8), to: "\(folder.path)/theme.css")
    try File.write(Array("{}".utf8), to: "\(folder.path)/strings.de.json")
    try File.write(Array("hidden".utf8), to: "\(folder.path)/.gitignore")
    let pages = try #require(try Self.configuration(["--pages", folder.path]).pages)
    #expect(pages.description == "on, with strings.de.json, theme.css of \(folder.path)")
  }

  @Test func `a folder without a page, or with a wrong file, is refused with the reason`() throws {
    let empty = try TemporaryFolder()
    let none = #expect(throws: CommandFailure.self) { try Self.configuration(["--pages", empty.path]) }
    let expected = "use on, off, or a folder with one of frame.html"
    #expect(none.map { $0.message.contains(expected) || $0.hint?.contains(expected) == true } == true)
    for (name, text, message) in [
      ("notes.txt", "x", "notes.txt is not a file of the pages: the files of a folder are frame.html"),
      ("a face.woff2", "x", "a face.woff2 is not a file of the pages: the files of a folder are frame.html"),
      ("sign-in.html", "{{nothing}}", "pages.text-missing (sign-in.html): nothing"),
      ("strings.json", "{}", "strings.json is not a file of the pages"),
      ("strings.it.json", #"{"page": {"signIn": "Accedi"}}"#, "pages.text-missing (strings.it.json): languageName"),
    ] {
      let folder = try TemporaryFolder()
      try File.write(Array(text.utf8), to: "\(folder.path)/\(name)")
      let failure = #expect(throws: CommandFailure.self) { try Self.configuration(["--pages", folder.path]) }
      #expect(failure.map { $0.message.contains(message) || $0.hint?.contains(message) == true } == true)
    }
    #expect(throws: CommandFailure.self) { try Self.configuration(["--pages", "\(empty.path)/missing"]) }
  }

  @Test func `links lead to pages of the operator`() throws {
    let pages = ["--pages", "on", "--privacy-page", "https://raxx.app/privacy", "--imprint-page", "/imprint"]
    let links = try Self.configuration(pages).pages?.links
    #expect(links?.privacy == "https://raxx.app/privacy" && links?.imprint == "/imprint" && links?.help == nil)
    for target in ["javascript:alert(1)", "//evil.example", "privacy", ""] {
      #expect(throws: CommandFailure.self) { try Self.configuration(["--pages", "on", "--help-page", target]) }
    }
  }

  @Test func `the start names the texts of an added language that are in English`() throws {
    let folder = try TemporaryFolder()
    try File.write(Array(#"{"page": {"languageName": "Italiano"}}"#.utf8), to: "\(folder.path)/strings.it.json")
    let warnings = try Self.configuration(["--pages", folder.path, "--rp-id", "localhost"]).warnings
    #expect(warnings.count == 1, "\(warnings)")
    let start = "strings.it.json has no text for aboutKept, "
    #expect(warnings.first?.hasPrefix(start) == true && warnings.first?.hasSuffix("show in English") == true)
  }

  @Test func `the start names what the pages leave out because the profile lacks it`() throws {
    let profile = try ServiceProfile(json: File.bytes("\(projectFolder)/Examples/Profiles/bookshop.json"))
    let warnings = ServedPages.warnings(about: profile)
    #expect(!warnings.isEmpty && warnings.allSatisfy { $0.contains("the profile \(profile.name) ") }, "\(warnings)")
    for known in ServiceProfile.builtIn { #expect(ServedPages.warnings(about: known) == [], "\(known.name)") }
  }

  @Test func `a profile without cookies has no pages`() throws {
    let failure = #expect(throws: CommandFailure.self) {
      try Self.configuration(["--pages", "on", "--profile", "aiday"])
    }
    #expect(failure?.message == "--pages needs sessions in cookies, which the profile aiday does not have")
    #expect(failure?.hint == "add --tokens both, or serve no pages")
    #expect(try Self.configuration(["--pages", "on", "--profile", "aiday", "--tokens", "both"]).pages != nil)
  }

  @Test func `the served page manages passkeys, unless a setting names another one`() throws {
    let encrypted = ["--pages", "on", "--rp-id", "raxx.app"]
    let own = try Self.configuration(encrypted).documents.passkeyEndpoints
    #expect(own?.enroll == "https://raxx.app/account" && own?.manage == "https://raxx.app/account")
    let other = try Self.configuration(encrypted + ["--manage-page", "https://raxx.app/keys"]).documents
    #expect(other.passkeyEndpoints?.manage == "https://raxx.app/keys" && other.passkeyEndpoints?.enroll == nil)
    #expect(try Self.configuration(["--rp-id", "raxx.app"]).documents.passkeyEndpoints == nil)
    // The document requires https.
    #expect(try Self.configuration(["--pages", "on", "--rp-id", "localhost"]).documents.passkeyEndpoints == nil)
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnInspection

/// The page that explains artifacts: what it shows, and which requests it refuses.
@Suite struct ExplanationSiteTests {
  private static let site = ExplanationSite(path: "/debug")

  private static func artifact(_ name: String) throws -> String {
    String(decoding: try File.bytes("\(projectFolder)/Examples/artifacts/\(name)"), as: UTF8.self)
  }

  private static func request(_ method: String = "GET", _ path: String = "/debug") -> ExplanationSite.Request {
    ExplanationSite.Request(method: method, path: path, host: "127.0.0.1:8080")
  }

  private static func answer(_ request: ExplanationSite.Request) -> (status: Int, body: String) {
    let response = site.respond(to: request, at: UnixTime(secondsSince1970: 1_770_000_000))
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { (byte) in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// Submits the form and returns the page.
  private static func page(_ fields: [String: String]) -> String {
    var request = request("POST")
    request.origin = "http://127.0.0.1:8080"
    let pairs = fields.map { (name, value) in "\(name)=\(encoded(value))" }
    request.body = Bytes(pairs.joined(separator: "&").utf8)
    return answer(request).body
  }

  private static let registration = Result {
    [
      "artifact": try artifact("registration-response.json"), "options": try artifact("creation-options.json"),
      "origin": "https://raxx.app",
    ]
  }

  // MARK: Content

  @Test func `the empty page has a form, no script and only files of its own`() {
    let page = Self.answer(Self.request()).body
    #expect(page.contains("<form") && !page.contains("id=\"result\""))
    for part in ["<script", "style=", "onclick", "http-equiv"] { #expect(!page.contains(part), "\(part)") }
    let loaded = page.matches(of: /(?:src|href|action)="([^"#]+)[^"]*"/).map { String($0.output.1) }
    #expect(loaded.allSatisfy { ["/debug", "#main"].contains($0) || Self.site.filePaths.contains($0) }, "\(loaded)")
    for path in Self.site.filePaths {
      let file = Self.answer(Self.request("GET", path))
      #expect(file.status == 200)
      #expect(!file.body.contains("url(") && !file.body.contains("@import"))
    }
  }

  @Test(arguments: [
    "authenticator-data.hex", "attestation-object.b64u", "certificate.pem", "attestation-object-cut.b64u",
  ])
  func `an artifact is shown with the lines of inspect`(name: String) throws {
    let text = try Self.artifact(name)
    let page = Self.page(["artifact": text])
    let inspection = try Inspection(of: [UInt8](text.utf8))
    #expect(page.contains("Artifact: \(inspection.kind.title)"))
    func check(_ node: InspectionNode) {
      #expect(page.contains(">\(HTML.visible(node.name))</span>"), "\(node.name)")
      for problem in node.problems { #expect(page.contains(HTML.visible(problem.description))) }
      node.children.forEach(check)
    }
    check(inspection.tree)
    #expect(page.contains("Only responses and files of cases can be verified."))
  }

  @Test func `the kind can be stated, and long values can be shown in full`() throws {
    let key = [UInt8](repeating: 7, count: 40)
    let fields = ["artifact": Hex.encode(key), "kind": "cbor"]
    #expect(Self.page(fields).contains("<option value=\"cbor\" selected>"))
    #expect(Self.page(fields).contains("Artifact: CBOR"))
    let data = try Self.artifact("attestation-object.b64u")
    let full = Self.page(["artifact": data, "full": "on"])
    #expect(full.contains("name=\"full\" value=\"on\" checked"))
    #expect(full.utf8.count > Self.page(["artifact": data]).utf8.count)
  }

  @Test func `a registration is verified step by step`() throws {
    let fields = try Self.registration.get()
    let page = Self.page(fields)
    #expect(page.contains("<title>Verified · passkey</title>"))
    #expect(page.contains("registration, WebAuthn Level 3 §7.1"))
    #expect(page.matches(of: /<li value="\d+" class="passed">/).count > 10)
    #expect(page.contains("<h4>Options: creation options</h4>") && page.contains("<h3>Verification</h3>"))
    #expect(!page.contains("class=\"failed\""))
    // The form keeps its content.
    #expect(page.contains("value=\"https://raxx.app\""))
  }

  @Test func `the failed step is shown with both values`() throws {
    var fields = try Self.registration.get()
    fields["origin"] = "https://other.raxx.app"
    let page = Self.page(fields)
    #expect(page.contains("<title>Refused at step 9 · passkey</title>"))
    #expect(page.contains("<code>registration.origin-mismatch</code>"))
    #expect(page.contains("<li value=\"9\" class=\"failed\">"))
    #expect(page.contains("<dt>expected</dt><dd>https://other.raxx.app</dd>"))
    #expect(page.contains("<dt>received</dt><dd>https://raxx.app</dd>"))
    #expect(page.contains("Later steps were not reached."))
    #expect(!page.contains("<li value=\"10\""))
  }

  @Test func `without an origin, the page assumes the one of the RP ID and says so`() throws {
    var fields = try Self.registration.get()
    fields["origin"] = ""
    let page = Self.page(fields)
    #expect(page.contains("<strong>Verified</strong>"))
    #expect(page.contains("No origin was given, so the page assumes https://raxx.app."))
  }

  @Test func `a sign-in needs the stored credential`() throws {
    let registration = try RegistrationResponse(json: [UInt8](Self.artifact("registration-response.json").utf8))
    let data = try AttestationObject(parsing: registration.attestationObject).authenticatorData
    let response = try #require(data.attestedCredentialData).credentialPublicKey
    var fields = [
      "artifact": try Self.artifact("authentication-response.json"),
      "options": try Self.artifact("request-options.json"),
    ]
    #expect(Self.page(fields).contains("Not verified: the stored credential is missing"))
    for key in [Base64URL.encode(response), Hex.encode(response)] {
      fields["credential"] = key
      let page = Self.page(fields)
      #expect(page.contains("<strong>Verified</strong>"))
      #expect(page.contains("authentication, WebAuthn Level 3 §7.2"))
    }
    fields["credential"] = "none"
    #expect(Self.page(fields).contains("neither a COSE key nor a record"))
    fields["credential"] = #"{"format":"x"}"#
    #expect(Self.page(fields).contains("a document of credentials has a format"))
  }

  @Test func `a file of cases shows each case`() throws {
    let page = Self.page(["artifact": try Self.artifact("cases.json")])
    #expect(page.contains("<title>5 cases explained · passkey</title>"))
    #expect(page.contains("example/registration-at-another-origin</h2>"))
    #expect(page.matches(of: /As the case expects\./).count == 5)
    #expect(page.contains("<code>authentication.signature-invalid</code>"))
    let broken = try Self.artifact("cases.json").replacing("\"step\": 9", with: "\"step\": 10")
    let other = Self.page(["artifact": broken])
    #expect(other.contains("Not as the case expects.") && other.contains("step: expected 10, got 9"))
  }

  @Test func `a file with many cases shows eight`() throws {
    let one = """
      {"id":"a","ceremony":"registration","challenge":"AA","rp":{"id":"raxx.app"},"response":{},\
      "expect":{"verified":false}}
      """
    let list = Array(repeating: one, count: 11).joined(separator: ",")
    let page = Self.page(["artifact": #"{"schema":"webauthn-vectors/1","cases":[\#(list)]}"#])
    #expect(page.matches(of: /<section aria/).count == 8)
    #expect(page.contains("3 more cases are not shown."))
    let malformed = Self.page(["artifact": #"{"schema":"webauthn-vectors/1","cases":[{}]}"#])
    #expect(malformed.contains("Not verified: "))
  }

  @Test func `an artifact with more parts than the page shows is cut`() {
    let list = Array(repeating: "00", count: 10_000).joined()
    let page = Self.page(["artifact": "992710" + list, "kind": "cbor"])
    #expect(page.contains("6001 more parts are not shown."))
    let large = Self.page(["artifact": String(repeating: "a", count: Inspection.maximumByteCount + 1)])
    #expect(large.contains("larger than 256 KiB"))
  }

  // MARK: Attacks

  @Test(arguments: [
    #"{"<script>alert(1)</script>":"'\"><img src=x onerror=alert(1)>"}"#, #""></textarea><img src=x onerror=alert(1)>"#,
    "</pre><b>&lt;", "'><svg/onload=1>", #"{"challenge":"</ul><b>","rp":{"id":"<b>"},"pubKeyCredParams":[]}"#,
  ])
  func `an artifact is shown as text, wherever it is pasted`(artifact: String) {
    let fields = ExplanationForm.Field.allCases.map { ($0.rawValue, artifact) }
    let page = Self.page(Dictionary(uniqueKeysWithValues: fields))
    #expect(page.contains("id=\"result\""))
    // Every angle bracket and quotation mark of the artifact is escaped.
    for tag in ["<script", "<img src=x", "<b>", "<svg", "onerror=alert(1)>", "'>"] {
      #expect(!page.contains(tag), "\(tag)")
    }
  }

  @Test func `invisible and reordering characters are made visible`() {
    let page = Self.page(["artifact": "{\"\u{202e}gpj\":\"\u{7}\"}"])
    #expect(page.contains(#"\u{202e}gpj"#))
  }

  @Test func `requests that other pages send are refused`() {
    var request = Self.request()
    request.fetchSite = "cross-site"
    #expect(Self.answer(request).status == 403)
    for site in ["same-origin", "none"] {
      request.fetchSite = site
      #expect(Self.answer(request).status == 200)
    }
    request = Self.request("POST")
    request.body = Bytes("artifact=00".utf8)
    #expect(Self.answer(request).status == 403)
    for origin in ["null", "https://attacker.example", "http://127.0.0.1:8081", "http://127.0.0.1", ""] {
      request.origin = origin
      #expect(Self.answer(request).status == 403, "\(origin)")
    }
    request.origin = "http://127.0.0.1:8080"
    #expect(Self.answer(request).status == 200)
    request.fetchSite = "same-site"
    #expect(Self.answer(request).status == 403)
    request.fetchSite = nil
    request.host = nil
    #expect(Self.answer(request).status == 403)
  }

  @Test func `other paths and methods are refused`() {
    #expect(Self.answer(Self.request("GET", "/debug/other.css")).status == 404)
    #expect(Self.answer(Self.request("GET", "/")).status == 404)
    var put = Self.request("PUT")
    put.origin = "http://127.0.0.1:8080"
    #expect(Self.answer(put).status == 405)
    put.path = "/debug/style.css"
    #expect(Self.answer(put).status == 405)
  }

  @Test(arguments: ["artifact", "artifact=%", "artifact=%4", "artifact=%zz", "artifact=%ff", "artifact=1&artifact=2"])
  func `a malformed form is refused`(body: String) {
    var request = Self.request("POST")
    request.origin = "http://127.0.0.1:8080"
    request.body = Bytes(body.utf8)
    #expect(Self.answer(request).status == 400)
  }

  @Test func `a form with many fields is refused, one with unknown fields is not`() {
    #expect(ExplanationForm(Bytes(Array(repeating: "x=1", count: 17).joined(separator: "&").utf8)) == nil)
    #expect(ExplanationForm(Bytes(Array(repeating: "x=1", count: 16).joined(separator: "&").utf8)) != nil)
    let form = ExplanationForm(Bytes("other=1&artifact=+a%0d%0Ab+".utf8))
    #expect(form?[.artifact] == "a\nb")
  }

  @Test func `any form gets an answer`() throws {
    let seed = [UInt8]("artifact=%7B%22id%22%3A1%7D&options=%7B%7D&origin=https%3A%2F%2Fraxx.app&credential=00".utf8)
    try PropertyRuns.check(default: 500) { (generator) in
      var request = Self.request("POST")
      request.origin = "http://127.0.0.1:8080"
      request.body = Bytes(Mutation.mutated(seed, using: &generator))
      #expect([200, 400].contains(Self.answer(request).status))
    }
  }

  private static let pages = "\(projectFolder)/Sources/Service/PasskeyPages/Pages"

  @Test func `the theme is the one of the pages of the sign-in service`() throws {
    let own = "\(projectFolder)/Sources/Programs/WebAuthnInspection/Page"
    for name in ["theme.css", "icon.svg"] {
      #expect(try File.bytes("\(Self.pages)/\(name)") == File.bytes("\(own)/\(name)"), "\(name)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyProfiles
import PasskeyService
import Testing
import WebAuthnTypes

/// Profiles that a client may have and a server refuses.
struct ServedProfileTests {
  private func fault(of json: String) throws -> ProfileError? {
    let profile = try ServiceProfile(json: Array(json.utf8))
    let relyingPartyID = try RelyingPartyID("raxx.app")
    do throws(ProfileError) {
      try profile.validate(for: profile.servicePolicy, of: relyingPartyID)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a route with GET must not change anything`() throws {
    for (endpoint, member) in [
      ("sign-out", #""GET ~/auth/logout""#), ("erase-account", #"{"route":"GET ~/account/delete","stepUp":false}"#),
      ("sign-in-verify", #""GET ~/verify""#), ("refresh", #""GET ~/refresh""#), ("verify-email", #""GET ~/mail""#),
      ("add-credential-options", #""GET ~/add""#), ("request-recovery", #""GET ~/lost""#),
      ("disable-user", #""GET ~/users/{id}/disable""#),
    ] {
      let found = try #require(try fault(of: #"{"name":"a","extends":"raxx","endpoints":{"\#(endpoint)":\#(member)}}"#))
      #expect(found.code == .memberInvalid && found.path == "endpoints.\(endpoint)", "\(endpoint)")
      #expect(found.detail.hasPrefix("GET is refused"))
    }
    #expect(try fault(of: #"{"name":"a","extends":"raxx","endpoints":{"me":"GET ~/who"}}"#) == nil)
    #expect(try fault(of: #"{"name":"a","extends":"raxx","endpoints":{"sign-in-options":"GET ~/begin"}}"#) == nil)
    for name in ServiceProfile.builtIn.map(\.name) {
      #expect(try fault(of: #"{"name":"a","extends":"\#(name)"}"#) == nil)
    }
  }

  @Test func `the session cookie stays within the RP ID`() throws {
    func domainFault(_ domain: String, _ deliveries: String = #"["cookie"]"#) throws -> ProfileError? {
      try fault(
        of: #"""
          {"name":"a","extends":"raxx",
           "sessions":{"deliveries":\#(deliveries),"cookie":{"prefix":"none","domain":"\#(domain)"}}}
          """#)
    }
    for domain in ["app", "evil.example", "xraxx.app", "raxx.app.evil.example"] {
      #expect(try domainFault(domain)?.path == "sessions.cookie.domain", "\(domain)")
      #expect(try domainFault(domain)?.detail == "use raxx.app, the RP ID, or a domain below it")
    }
    for domain in ["raxx.app", "api.raxx.app"] { #expect(try domainFault(domain) == nil) }
    #expect(try domainFault("evil.example", #"["bearer"]"#) == nil)
  }

  @Test func `a server returns values in bodies, and refuses what only a client does`() throws {
    func endpoints(_ text: String) -> String { #""extends":"raxx","endpoints":{\#(text)}"# }
    let begin = #""sign-in-options":{"response":{"f":"$ceremony.flow","o":"$options"}}"#
    for (members, path) in [
      (#""extends":"raxx","values":{"k":{"cookie":"c"}}"#, "values"),
      (#""extends":"raxx","headers":{"send":{"x-client":"web"}}"#, "headers.send"),
      (endpoints(#""sign-in-options":{"encoding":"form"}"#), "endpoints.sign-in-options.encoding"),
      (
        endpoints(#"\#(begin),"sign-in-verify":"POST ~/{ceremony.flow}""#), "endpoints.sign-in-verify.route"
      ),
      (
        endpoints(#"\#(begin),"sign-in-verify":{"query":{"f":"$ceremony.flow"}}"#), "endpoints.sign-in-verify.query"
      ),
      (
        endpoints(#""sign-in-verify":{"request":{"c":{"$json":"$credential"}}}"#), "endpoints.sign-in-verify.request"
      ),
      (
        endpoints(#""sign-in-verify":{"request":{"c":{"$member":"id","of":"$credential"}}}"#),
        "endpoints.sign-in-verify.request"
      ),
      (#""extends":"raxx","sessions":{"scheme":"none"}"#, "sessions.scheme"),
      (#""extends":"raxx","headers":{"send":{"Origin":"$origin"}}"#, "headers.send.Origin"),
      (endpoints(#""sign-in-options":{"page":"options"}"#), "endpoints.sign-in-options.page"),
      (endpoints(#""sign-in-options":{"before":[{"route":"GET /x"}]}"#), "endpoints.sign-in-options.before"),
      (endpoints(#""sign-in-verify":{"location":"/home"}"#), "endpoints.sign-in-verify.location"),
      (
        endpoints(#""sign-in-options":"POST /in","sign-in-verify":"POST /in""#), "endpoints.sign-in-verify.route"
      ),
    ] {
      let found = try #require(try fault(of: #"{"name":"a",\#(members)}"#), "\(path)")
      #expect(found.code == .memberInvalid && found.path == path)
      #expect(found.detail.hasSuffix(": only a client uses this, with another server"))
    }
    let echo = endpoints(#"\#(begin),"sign-in-verify":{"request":{"f":"$ceremony.flow","c":"$credential"}}"#)
    #expect(try fault(of: #"{"name":"a",\#(echo)}"#) == nil)
  }
}

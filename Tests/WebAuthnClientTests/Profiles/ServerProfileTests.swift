// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import WebAuthnClient

struct ServerProfileTests {
  private func profile(_ text: String) throws(ClientError) -> ServerProfile {
    try ServerProfile(json: Array(text.utf8)[...])
  }

  /// Returns the JSON example from the article on profiles.
  private static func articleExample() throws -> String {
    let article = try String(
      decoding: File.bytes("\(projectFolder)/Sources/WebAuthnClient/WebAuthnClient.docc/ServerProfiles.md"),
      as: UTF8.self)
    let start = try #require(article.firstRange(of: "```json\n"))
    let rest = article[start.upperBound...]
    return String(rest[..<(try #require(rest.firstRange(of: "```"))).lowerBound])
  }

  @Test func `the documentation's example is a profile with every member`() throws {
    let text = try Self.articleExample()
    let profile = try profile(text)
    #expect(profile.name == "bookshop")
    #expect(profile.routes[.signInOptions] == ServerRoute("POST", "/passkeys/authenticate/begin"))
    #expect(profile.sessions == .cookie(name: "sid"))
    #expect(profile.addressMember == "username" && profile.accountMember == "customer")
    #expect(profile.optionsMember == "publicKey" && profile.credentialMember == nil)
    #expect(profile.displayNameMember == "displayName" && profile.codeMember == "voucher")
    #expect(profile.repeatsAddress)
    for member in ServerProfile.members.union(ServerProfile.sessionMembers) {
      #expect(text.contains("\"\(member)\""), "\(member)")
    }
  }

  @Test func `missing members have the values of Raxx`() throws {
    let read = try profile(#"{"name":"x","routes":{}}"#)
    var expected = ServerProfile.raxx
    expected.name = "x"
    expected.routes = [:]
    #expect(read == expected)
  }

  @Test(arguments: [
    (#"{"name":"x","routes":{},"adressMember":"a"}"#, "adressMember is not a member of a profile"),
    (
      #"{"name":"x","routes":{},"sessions":{"by":"bearer","token":"t"}}"#, "sessions.token is not a member of a profile"
    ),
    (#"{"name":"x","routes":{"sign-up":"POST /x"}}"#, "routes.sign-up is not an endpoint"),
    (#"{"name":"x","routes":{"me":"/x"}}"#, "routes.me is a method and a path"),
    (#"{"name":"x","routes":{"me":"GET x"}}"#, "routes.me is a method and a path"),
    (#"{"name":"x","routes":{"me":"get /x"}}"#, "routes.me is a method and a path"),
    (#"{"name":"x","routes":{"me":"GET  /x"}}"#, "routes.me is a method and a path"),
    (#"{"name":"x","routes":{"me":"GET /x\r\nHost: y"}}"#, "routes.me is a method and a path"),
    (#"{"name":"x","routes":{"revoke-session":"DELETE /x"}}"#, "routes.revoke-session has no {id}"),
    (#"{"name":"x","routes":{"revoke-session":"DELETE /{id}/{id}"}}"#, "routes.revoke-session has more than one {id}"),
    (#"{"name":"x","routes":{"me":"GET /users/{id}"}}"#, "routes.me has an {id}"),
    (#"{"name":"x","routes":{},"sessions":{"by":"cookie"}}"#, "sessions.cookie is missing"),
    (
      #"{"name":"x","routes":{},"sessions":{"by":"bearer","cookie":"a"}}"#,
      "sessions.cookie requires sessions by cookie"
    ),
    (#"{"name":"x","routes":{},"sessions":{"by":"letter"}}"#, "sessions.by is bearer, cookie or nothing"),
    (#"{"name":"x","routes":{},"sessions":{"by":"cookie","cookie":"a b"}}"#, "sessions.cookie is not a cookie name"),
    (#"{"name":"x","routes":{},"stepUpHeader":"Host"}"#, "stepUpHeader is not an allowed header field"),
    (#"{"name":"x","routes":{},"stepUpHeader":"a b"}"#, "stepUpHeader is not an allowed header field"),
    (#"{"name":"x","routes":{},"clientHeader":"Cookie"}"#, "clientHeader is not an allowed header field"),
    (#"{"name":"a/b","routes":{}}"#, "name is a word"), (#"{"name":"","routes":{}}"#, "name is a word"),
    (#"{"routes":{}}"#, "json."), (#"{"name":"x"}"#, "json."), (#"{"name":1,"routes":{}}"#, "json."),
    (#"{"name":"x","name":"y","routes":{}}"#, "json."), ("", "json."), ("[]", "json."),
  ])
  func `an invalid member is refused by name`(_ text: String, _ detail: String) {
    let error = #expect(throws: ClientError.self) { try profile(text) }
    #expect(error?.code == .profileInvalid)
    #expect(error?.detail?.contains(detail) == true, "\(String(describing: error))")
  }

  @Test func `every route of the built-in profiles can be used`() throws {
    for profile in ServerProfile.all {
      #expect(profile.routes.count == ServerEndpoint.allCases.count)
      for (endpoint, route) in profile.routes { #expect(ServerRoute("\(route)") == route, "\(endpoint)") }
    }
    let error = #expect(throws: ClientError.self) { try profile(#"{"name":"x","routes":{}}"#).route(.me) }
    #expect(error?.code == .endpointMissing)
  }
}

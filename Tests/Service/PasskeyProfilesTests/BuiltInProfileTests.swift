// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import Testing

/// The built-in profiles.
struct BuiltInProfileTests {
  @Test func `Every built-in profile is valid`() throws {
    for name in ["site", "raxx", "yapt", "aiday"] {
      let document = try #require(ServiceProfile.document(ofBuiltIn: name))
      #expect(try JSON.parse(document, maximumSize: document.count).require("name").string == name)
    }
    #expect(ServiceProfile.builtIn.allSatisfy { $0.endpoints.count > 40 })
    #expect(ServiceProfile.builtIn.map(\.name) == ["site", "raxx", "yapt", "aiday"])
    #expect(ServiceProfile.document(ofBuiltIn: "other") == nil)
  }

  @Test func `The routes of Yapt are those of its clients`() throws {
    let routes: [(EndpointName, String)] = [
      (.registerOptions, "POST /api/auth/register/generate-options"),
      (.registerVerify, "POST /api/auth/register/verify"),
      (.signInOptions, "POST /api/auth/login/generate-options"), (.signInVerify, "POST /api/auth/login/verify"),
      (.me, "GET /api/auth/me"), (.signOut, "POST /api/auth/logout"),
      (.addCredentialOptions, "POST /api/auth/add-device/generate-options"),
      (.addCredentialVerify, "POST /api/auth/add-device/verify"), (.credentials, "GET /api/auth/devices"),
      (.deleteCredential, "DELETE /api/auth/devices/{id}"),
    ]
    for (endpoint, route) in routes {
      let contract = try #require(ServiceProfile.yapt[endpoint])
      #expect("\(contract.method) \(contract.path)" == route)
    }
    #expect(ServiceProfile.yapt.sessions.deliveries == [.cookie])
    #expect(ServiceProfile.yapt.sessions.cookie.maximumAgeSeconds == 30 * 86_400)
    #expect(ServiceProfile.yapt[.refresh] == nil)
  }

  @Test func `The routes of Aiday are those of its clients`() throws {
    let routes: [(EndpointName, String)] = [
      (.registerOptions, "POST /auth/signup/options"), (.registerVerify, "POST /auth/signup"),
      (.signInOptions, "POST /auth/login/options"), (.signInVerify, "POST /auth/login"),
      (.refresh, "POST /auth/refresh"), (.signOut, "POST /auth/logout"),
      (.requestRecovery, "POST /auth/forgot-password"), (.accountStatus, "GET /auth/status"), (.me, "GET /users/me"),
      (.registerDevice, "POST /api/v1/notifications/devices"), (.eraseDevice, "DELETE /api/v1/notifications/devices"),
      (.preferences, "GET /api/v1/notifications/preferences"),
      (.setPreferences, "PUT /api/v1/notifications/preferences"), (.users, "GET /admin/users"),
      (.updateUser, "PATCH /admin/users/{id}"), (.recoverUser, "POST /admin/users/{id}/reset-password"),
      (.changes, "GET /admin/changes"),
    ]
    for (endpoint, route) in routes {
      let contract = try #require(ServiceProfile.aiday[endpoint])
      #expect("\(contract.method) \(contract.path)" == route)
    }
    let pending = ServiceProfile.aiday.endpoints.filter(\.value.admitsPendingAccounts).map(\.key)
    #expect(Set(pending) == [.me, .signOut, .refresh])
  }

  @Test func `Aiday writes a session and a user as its clients read them`() throws {
    var values = ShapeValues()
    values.set(.accountID, "0f8fad5b-d9cb-469f-a165-70867728950e")
    values.set(.accountUsername, "ada")
    values.set(.accountEmail, "ada@raxx.app")
    values.set(.accountIsAdministrator, false)
    values.set(.accountState, "pending")
    let user =
      #"{"id":"0f8fad5b-d9cb-469f-a165-70867728950e","username":"ada","email":"ada@raxx.app","role":"viewer","#
      + #""approvalStatus":"pending"}"#
    let shape = try #require(ServiceProfile.aiday[.signInVerify]?.response)
    #expect(String(decoding: shape.write(values), as: UTF8.self) == #"{"user":\#(user)}"#)
    values.set(.sessionToken, "a")
    values.set(.sessionRefreshToken, "b")
    values.set(.sessionExpiry, UnixTime(secondsSince1970: 0))
    #expect(
      String(decoding: shape.write(values), as: UTF8.self)
        == #"{"tokens":{"accessToken":"a","refreshToken":"b","accessTokenExpiry":"1970-01-01T00:00:00Z"},"user":\#(user)}"#
    )
    let read = try shape.read(try JSON.parse(shape.write(values)))
    #expect(read.text(.sessionToken) == "a")
    #expect(read.boolean(.accountIsAdministrator) == false)
    #expect(read.text(.accountState) == "pending")
    #expect(read.time(.sessionExpiry) == UnixTime(secondsSince1970: 0))
  }

  @Test func `options have their expiry beside the members of the ceremony`() throws {
    let shape = try #require(ServiceProfile.raxx[.signInOptions]?.response)
    var values = ShapeValues()
    values[.options] = .encoded(Array(#"{"challenge":"AQ","timeout":1}"#.utf8))
    values.set(.optionsExpiry, UnixTime(secondsSince1970: 0))
    let written = #"{"challenge":"AQ","timeout":1,"expiresAt":"1970-01-01T00:00:00Z"}"#
    #expect(String(decoding: shape.write(values), as: UTF8.self) == written)
    let read = try shape.read(try JSON.parse(shape.write(values)))
    #expect(read.object(.options) != nil && read.time(.optionsExpiry) == UnixTime(secondsSince1970: 0))
  }

  @Test func `a profile names preferences one by one, or leaves their names to the application`() throws {
    #expect(try #require(ServiceProfile.aiday[.preferences]?.response).preferenceNames == ["bot.*", "report.*"])
    #expect(try #require(ServiceProfile.raxx[.preferences]?.response).preferenceNames == [])
  }

  @Test func `Yapt and Aiday refuse a taken user name at once`() {
    #expect(ServiceProfile.builtIn.map(\.identifiers.refusesTakenUsernames) == [false, false, true, true])
  }

  @Test func `the profile of a site differs from Raxx in its sessions, its cookie and its sign-up only`() {
    var site = ServiceProfile.site
    #expect(site.sessions.cookie.name == "session" && site.signUp.policy == .invitation)
    #expect(site.sessions.deliveries == [.bearer, .cookie] && site.sessions.refresh?.tokenSeconds == 14 * 86_400)
    let raxx = ServiceProfile.raxx
    (site.name, site.sessions, site.signUp) = (raxx.name, raxx.sessions, raxx.signUp)
    #expect(site == raxx)
  }
}

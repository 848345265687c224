// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// Origins that resemble the allowed ones, in both ceremonies.
@Suite struct OriginAttackTests {
  private let world: CeremonyWorld

  init() throws {
    world = try CeremonyWorld()
  }

  static let lookalikes = [
    "", "null", "raxx.app", "https:raxx.app", "https:/raxx.app", "https:///raxx.app", "//raxx.app", "https://",
    "https://raxx.app/", "https://raxx.app?", "https://raxx.app#", "https://raxx.app/login", "https://raxx.app\\",
    "https://raxx.app.", "https://raxx.app..", "https://.raxx.app", "https://raxx..app",
    "https://raxx.app.evil.example",
    "https://evil.example/https://raxx.app", "https://evil.example#raxx.app", "https://evil.example?raxx.app",
    "https://raxx.app@evil.example", "https://user@raxx.app", "https://user:secret@raxx.app", "https://@raxx.app",
    "https://raxx.app:8443", "https://raxx.app:0", "https://raxx.app:", "https://raxx.app:0443",
    "https://raxx.app:+443",
    "https://raxx.app:65979", "https://raxx.app:4294967739", "https://raxx.app:443:443", "https://raxx.app:443/",
    "https://raxx.app:\u{664}\u{664}\u{663}", "http://raxx.app", "http://raxx.app:443", "ftp://raxx.app",
    "wss://raxx.app",
    "HTTPS://raxx.app", "Https://raxx.app", "https://RAXX.app", "https://raxx.APP", "https://Raxx.App",
    " https://raxx.app", "https://raxx.app ", "https://raxx.app\n", "https://raxx.app\t", "https://raxx.app\u{0}",
    "https://raxx.app\u{0}.evil.example", "\u{feff}https://raxx.app", "https://\u{200b}raxx.app",
    "https://raxx\u{ad}.app",
    "https://r\u{430}xx.app", "https://raxx\u{3002}app", "https://raxx\u{ff0e}app", "https://\u{ff52}axx.app",
    "https://raxx.app\u{301}", "https://xn--raxx.app", "https://xn--rxx-5cd.app", "https://%72axx.app",
    "https://raxx%2eapp",
    "https://raxx.app%00", "https://www.raxx.app", "https://api.raxx.app", "https://app", "https://xraxx.app",
    "https://[::1]", "https://127.0.0.1", "android:apk-key-hash:raxx.app", "https://raxx.app,https://raxx.app",
    "https://raxx.app https://raxx.app", "[\"https://raxx.app\"]",
  ]

  @Test(arguments: lookalikes) func `an origin that looks similar is refused`(origin: String) {
    expectFailure(.registrationOriginMismatch, step: 9) { try world.register { $0.origin = origin } }
    expectFailure(.authenticationOriginMismatch, step: 12) { try world.authenticate { $0.origin = origin } }
  }

  @Test(arguments: ["https://raxx.app", "https://raxx.app:443"])
  func `a configured origin may name the default port, and client data may not`(configured: String) throws {
    var world = world
    world.origin = configured
    _ = try world.register { $0.origin = "https://raxx.app" }
    _ = try world.authenticate { $0.origin = "https://raxx.app" }
    expectFailure(.registrationOriginMismatch, step: 9) { try world.register { $0.origin = "https://raxx.app:443" } }
    expectFailure(.authenticationOriginMismatch, step: 12) {
      try world.authenticate { $0.origin = "https://raxx.app:443" }
    }
  }

  @Test func `a top origin with a default port is refused`() throws {
    var world = world
    world.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://shop.example:443")])
    let embed = { (topOrigin: String) in
      { (device: inout TestDevice) in
        device.crossOrigin = true
        device.topOrigin = topOrigin
      }
    }
    _ = try world.authenticate(embed("https://shop.example"))
    expectFailure(.authenticationTopOriginMismatch, step: 14) {
      try world.authenticate(embed("https://shop.example:443"))
    }
    expectFailure(.registrationTopOriginMismatch, step: 11) { try world.register(embed("https://shop.example:443")) }
  }

  @Test func `an unnamed embedding page is refused if the policy requires its name`() throws {
    var world = world
    world.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://shop.example")])
    let embed = { (device: inout TestDevice) in device.crossOrigin = true }
    let name = { (device: inout TestDevice) in
      device.crossOrigin = true
      device.topOrigin = "https://shop.example"
    }
    _ = try world.authenticate(embed)
    _ = try world.register(embed)
    world.policy.topOriginNaming = .required
    expectFailure(.authenticationTopOriginMismatch, step: 14) { try world.authenticate(embed) }
    expectFailure(.registrationTopOriginMismatch, step: 11) { try world.register(embed) }
    _ = try world.authenticate(name)
    _ = try world.register(name)
    // A page that is not embedded has no top origin.
    _ = try world.authenticate()
    _ = try world.register()
  }

  @Test func `the requirement of a named page survives storage`() throws {
    var world = world
    world.policy.embedding = .allowed(topOrigins: [try WebOrigin("https://shop.example")])
    world.policy.topOriginNaming = .required
    let relyingParty = try world.relyingParty()
    let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: CeremonyWorld.now, random: world.random)
    let stored = begun.pending.bytes
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    device.crossOrigin = true
    var soft = world
    soft.policy.topOriginNaming = .optional
    let (later, response, credential) = (try soft.relyingParty(), try device.authentication(), try world.credential())
    expectFailure(.authenticationTopOriginMismatch, step: 14) {
      try later.finishAuthentication(
        response, pending: PendingAuthentication(taken: stored), credential: credential, at: CeremonyWorld.now)
    }
  }

  @Test func `an escaped origin in JSON equals its unescaped text`() throws {
    for (written, isOurs) in [
      ("https:\\/\\/raxx.app", true), ("\\u0068ttps://raxx.app", true), ("https://raxx.app\\u002eevil.example", false),
      ("https://raxx.app\\u0000", false), ("https://raxx.app\\ud83d\\ude00", false),
    ] {
      let corrupt = { (device: inout TestDevice) in
        device.clientDataText = """
          {"type":"\(device.type)","challenge":"\(device.challenge)","origin":"\(written)","crossOrigin":false}
          """
      }
      if isOurs {
        _ = try world.authenticate(corrupt)
      } else {
        expectFailure(.authenticationOriginMismatch, step: 12) { try world.authenticate(corrupt) }
      }
    }
  }

  @Test func `native origins are compared byte for byte`() throws {
    let ours = ["android:apk-key-hash:AbC-_0", "ios:bundle-id:app.raxx.\u{e9}"]
    let relyingParty = try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: ours.map { try WebOrigin($0) })
    func authenticate(from origin: String) throws -> VerifiedAuthentication {
      let credential = try world.credential()
      let begun = try relyingParty.beginAuthentication(of: .fromResponse, at: CeremonyWorld.now)
      var device = try TestDevice(challenge: begun.pending.challenge)
      device.type = .get
      device.origin = origin
      return try relyingParty.finishAuthentication(
        device.authentication(), pending: begun.pending, credential: credential, at: CeremonyWorld.now)
    }
    for origin in ours { _ = try authenticate(from: origin) }
    for origin in [
      "android:apk-key-hash:AbC-_0=", "android:apk-key-hash:abc-_0", "Android:apk-key-hash:AbC-_0",
      "android:apk-key-hash:AbC+/0", "android:apk-key-hash:AbC-_", "android:apk-key-hash:", "android:AbC-_0",
      // Visually identical, and equal in Swift's own string comparison.
      "ios:bundle-id:app.raxx.e\u{301}", "ios:bundle-id:app.raxx.", "https://raxx.app",
    ] {
      expectFailure(.authenticationOriginMismatch, step: 12) { try authenticate(from: origin) }
    }
  }
}

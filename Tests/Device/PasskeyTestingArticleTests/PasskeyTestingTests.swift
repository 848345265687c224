// SPDX-License-Identifier: Apache-2.0

// The code of PasskeyTesting.md. It is compiled as in a package of its own: with the imports and the product of the article,
// and without access to what this package keeps to itself.

// [shown]
import PasskeyTesting
import Testing

@Test func `Ada registers and signs in`() async throws {
  let shop = try Shop()
  let browser = try TestBrowser(origin: "https://shop.example", handler: shop.answer)
  try await browser.register(#"{"name":"ada"}"#, at: "/register")
  #expect(try await browser.signIn(at: "/login").status == 200)
  #expect(try await browser.send("GET", "/me").text("name") == "ada")
}
// [until here]

// [shown]
@Test func `options and responses as JSON`() async throws {
  let shop = try Shop()
  let browser = try TestBrowser(origin: "https://shop.example")
  let session = try await shop.register("ada") { (options) in try await browser.create(options) }
  #expect(try await shop.signIn(session) { (options) in try await browser.get(options) } == "ada")
}
// [until here]

// [shown]
@Test(arguments: TestBrowser.Fault.ofSignIns)
func `a faulty sign-in is refused`(_ fault: TestBrowser.Fault) async throws {
  let shop = try Shop()
  let browser = try TestBrowser(origin: "https://shop.example", handler: shop.answer)
  try await browser.register(#"{"name":"ada"}"#, at: "/register")
  #expect(try await browser.signIn(at: "/login", fault: fault).status == 401)
}
// [until here]

// [shown]
@Test func `a second device, a user who refuses, and a page of another site`() async throws {
  let shop = try Shop()
  let browser = try TestBrowser(origin: "https://shop.example", handler: shop.answer)
  try await browser.register(#"{"name":"ada"}"#, at: "/register")
  let phone = browser.device
  #expect(try phone.passkeys.map(\.userName) == ["ada"])

  browser.device = try TestBrowser.Device(.securityKey, seed: "key")
  let missing = await #expect(throws: TestBrowser.Failure.self) { try await browser.signIn(at: "/login") }
  #expect(missing?.code == "client.no-credentials")

  browser.device = try phone.copy()
  browser.device.user = .refuses
  let refused = await #expect(throws: TestBrowser.Failure.self) { try await browser.signIn(at: "/login") }
  #expect(refused?.code == "client.not-allowed")

  let phishing = try TestBrowser(origin: "https://shop.example.net", handler: shop.answer)
  phishing.device = phone
  let stranger = await #expect(throws: TestBrowser.Failure.self) { try await phishing.signIn(at: "/login") }
  #expect(stranger?.code == "client.origin-not-allowed")
}
// [until here]

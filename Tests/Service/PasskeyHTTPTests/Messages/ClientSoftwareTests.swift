// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import Testing

@testable import PasskeyHTTP

/// The browser and the system that a session shows.
struct ClientSoftwareTests {
  private static func software(_ fields: [String: String]) -> [String?] {
    var headers = EndpointHeaders()
    for (name, value) in fields { headers.set(name, value) }
    let software = AccountSession.ClientSoftware(headers)
    return [software?.browser, software?.system]
  }

  @Test(arguments: [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "Firefox", "Linux"),
    (
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
      "Chrome", "Windows"
    ),
    (
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0",
      "Edge", "Windows"
    ),
    (
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1",
      "Safari", "macOS"
    ),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1 Version/26.1 Mobile/1 Safari/604.1",
      "Safari", "iOS"
    ),
    (
      "Mozilla/5.0 (iPad; CPU OS 26_1 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) CriOS/156.0 Safari/604.1",
      "Chrome", "iPadOS"
    ),
    (
      "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 SamsungBrowser/29.0 Chrome/156.0 Safari/537.36",
      "Samsung Internet", "Android"
    ),
    ("Raxx/12 CFNetwork/1568 (iPhone)", nil, "iOS"), ("curl/8.17.0", nil, nil), ("", nil, nil),
  ])
  func `User-Agent names the browser and the system`(agent: String, browser: String?, system: String?) {
    #expect(Self.software(["user-agent": agent]) == [browser, system])
  }

  @Test func `client hints precede User-Agent`() {
    let chrome = #""Chromium";v="156", "Google Chrome";v="156", "Not=A?Brand";v="24""#
    let agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
    let fields = ["sec-ch-ua": chrome, "sec-ch-ua-platform": #""Chrome OS""#, "user-agent": agent]
    #expect(Self.software(fields) == ["Chrome", "ChromeOS"])
    let edge = #""Chromium";v="156", "Microsoft Edge";v="156""#
    #expect(Self.software(["sec-ch-ua": edge, "user-agent": agent]) == ["Edge", "Linux"])
  }

  @Test func `nothing but known names is taken`() {
    let fields = [
      "sec-ch-ua": #""<b>Evil</b>";v="1""#, "sec-ch-ua-platform": #""Plan 9""#, "user-agent": "Evil/1 (Plan 9)",
    ]
    #expect(Self.software(fields) == [nil, nil])
  }
}

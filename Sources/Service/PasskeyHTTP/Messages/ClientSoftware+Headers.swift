// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension ClientSoftware {
  /// Reads the browser and the system from client hints, or from `User-Agent`. Only known names are taken, and no versions.
  init?(_ headers: EndpointHeaders) {
    let (brands, platform) = (headers["sec-ch-ua"] ?? "", headers["sec-ch-ua-platform"] ?? "")
    let agent = headers["user-agent"] ?? ""
    func first(_ table: [(mark: String, name: String)], in text: String) -> String? {
      table.first { text.contains($0.mark) }?.name
    }
    self.init(
      browser: first(Self.brands, in: brands) ?? first(Self.browsers, in: agent),
      system: first(Self.platforms, in: platform) ?? first(Self.systems, in: agent))
  }

  // The first mark that is found decides: most browsers also name the ones that they resemble.

  private static let brands = [
    ("\"Microsoft Edge\"", "Edge"), ("\"Opera", "Opera"), ("\"Brave\"", "Brave"), ("\"Vivaldi\"", "Vivaldi"),
    ("\"Samsung Internet\"", "Samsung Internet"), ("\"Google Chrome\"", "Chrome"), ("\"Chromium\"", "Chromium"),
  ]

  private static let platforms = [
    ("\"Windows\"", "Windows"), ("\"macOS\"", "macOS"), ("\"Android\"", "Android"), ("\"Linux\"", "Linux"),
    ("\"Chrome OS\"", "ChromeOS"), ("\"Chromium OS\"", "ChromeOS"), ("\"iOS\"", "iOS"),
  ]

  private static let browsers = [
    ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("OPT/", "Opera"),
    ("Vivaldi/", "Vivaldi"), ("SamsungBrowser/", "Samsung Internet"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
  ]

  private static let systems = [
    ("iPhone", "iOS"), ("iPad", "iPadOS"), ("Android", "Android"), ("Windows NT", "Windows"), ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"), ("Linux", "Linux"), ("FreeBSD", "FreeBSD"), ("OpenBSD", "OpenBSD"),
  ]
}

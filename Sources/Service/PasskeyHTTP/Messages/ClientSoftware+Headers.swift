// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension AccountSession.ClientSoftware {
  /// Reads the browser and the system from client hints, or from `User-Agent`. Only known names are taken, and no versions.
  init?(_ headers: EndpointHeaders) {
    let (brands, platform) = (headers["sec-ch-ua"] ?? "", headers["sec-ch-ua-platform"] ?? "")
    let agent = headers["user-agent"] ?? ""
    // A search in characters would take longer than the verification of a signature.
    func first(_ table: [(mark: [UInt8], name: String)], in text: String) -> String? {
      let text = [UInt8](text.utf8)
      return table.first { (mark, _) in
        text.indices.contains { text[$0] == mark[0] && text[$0...].starts(with: mark) }
      }?.name
    }
    self.init(
      browser: first(Self.brands, in: brands) ?? first(Self.browsers, in: agent),
      system: first(Self.platforms, in: platform) ?? first(Self.systems, in: agent))
  }

  // The first mark that is found decides: most browsers also name the ones that they resemble.

  private static let brands = table([
    ("\"Microsoft Edge\"", "Edge"), ("\"Opera", "Opera"), ("\"Brave\"", "Brave"), ("\"Vivaldi\"", "Vivaldi"),
    ("\"Samsung Internet\"", "Samsung Internet"), ("\"Google Chrome\"", "Chrome"), ("\"Chromium\"", "Chromium"),
  ])

  private static let platforms = table([
    ("\"Windows\"", "Windows"), ("\"macOS\"", "macOS"), ("\"Android\"", "Android"), ("\"Linux\"", "Linux"),
    ("\"Chrome OS\"", "ChromeOS"), ("\"Chromium OS\"", "ChromeOS"), ("\"iOS\"", "iOS"),
  ])

  private static let browsers = table([
    ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("OPT/", "Opera"),
    ("Vivaldi/", "Vivaldi"), ("SamsungBrowser/", "Samsung Internet"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
  ])

  private static let systems = table([
    ("iPhone", "iOS"), ("iPad", "iPadOS"), ("Android", "Android"), ("Windows NT", "Windows"), ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"), ("Linux", "Linux"), ("FreeBSD", "FreeBSD"), ("OpenBSD", "OpenBSD"),
  ])

  private static func table(_ names: [(mark: String, name: String)]) -> [(mark: [UInt8], name: String)] {
    names.map { ([UInt8]($0.mark.utf8), $0.name) }
  }
}

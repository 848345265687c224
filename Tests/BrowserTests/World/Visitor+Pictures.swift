// SPDX-License-Identifier: Apache-2.0

import BrowserTestSupport
import TestSupport
import Testing
import WireFormats

extension Visitor {
  /// Pictures of pages, as `PAGE-WIDTH-THEME.png`.
  static let pictureFolder = "\(projectFolder)/.build/screenshots"

  /// Takes a picture of the page, or of the window; checks that it is one, with the width of the window.
  func takePicture(_ name: String, width: Int, isDark: Bool, isWhole: Bool = true) async throws {
    let height: Int =
      isWhole ? try await page.run("return Math.max(600, document.documentElement.scrollHeight)").integer() : 800
    try await page.resize(width: width, height: height)
    let image = try await page.screenshot()
    try await page.resize(width: width, height: 800)
    let wide = image.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]) && wide == width && image.count > 4_000, "\(name)")
    _ = try await waiting { try Shell.run("mkdir -p '\(Self.pictureFolder)'", in: "/") }
    try File.write(image, to: "\(Self.pictureFolder)/\(name)-\(width)-\(isDark ? "dark" : "light").png")
  }
}

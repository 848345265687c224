// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

extension Page {
  /// Pictures of pages, as `PAGE-WIDTH-THEME.png`. `Scripts/docs --screenshots` puts them into the documentation.
  private static let pictureFolder = "\(projectFolder)/.build/screenshots"

  /// Takes a picture of the page up to a height, or of the window; checks that it is one, with the width of the window.
  func takePicture(_ name: String, width: Int, isDark: Bool, isWhole: Bool = true) async throws {
    // 4,000 pixels  [the longest page with content of people; longer ones repeat themselves]
    let height: Int =
      isWhole
      ? try await run("return Math.min(4000, Math.max(600, document.documentElement.scrollHeight))").integer() : 800
    try await resize(width: width, height: height)
    let image = try await screenshot(isWhole: false)
    try await resize(width: width, height: 800)
    let wide = image.dropFirst(16).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]) && wide == width && image.count > 4_000, "\(name)")
    _ = try await waiting { try Shell.run("mkdir -p '\(Self.pictureFolder)'", in: "/") }
    try File.write(image, to: "\(Self.pictureFolder)/\(name)-\(width)-\(isDark ? "dark" : "light").png")
  }
}

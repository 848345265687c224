// SPDX-License-Identifier: Apache-2.0

/// The color around a page in browsers and on home screens: the background of the theme.
struct ThemeColors {
  /// The colors of the light and the dark theme, as `#rrggbb`; nil if the style sheet has none.
  let light: String?
  let dark: String?

  /// Reads the first and the last value of `--page` in a style sheet.
  init(_ styleSheet: [UInt8]) {
    let parts = String(decoding: styleSheet, as: UTF8.self).split(separator: "--page:").dropFirst()
    let colors = parts.compactMap { (part) -> String? in
      let color = part.prefix { $0 != ";" && $0 != "}" }.filter { $0 != " " && $0 != "\n" }
      let isHex = color.hasPrefix("#") && color.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
      return isHex ? String(color) : nil
    }
    light = colors.first
    dark = colors.count > 1 ? colors.last : nil
  }

  /// The elements for the head of a page.
  var markup: String {
    let schemes = [("light", light), ("dark", dark)].compactMap { (scheme, color) in
      color.map { "<meta name=\"theme-color\" content=\"\($0)\" media=\"(prefers-color-scheme: \(scheme))\">\n" }
    }
    return schemes.joined()
  }
}

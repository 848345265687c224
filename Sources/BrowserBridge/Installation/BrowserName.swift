// SPDX-License-Identifier: Apache-2.0

/// A browser that can have the extension.
package enum BrowserName: String, CaseIterable, Sendable {
  case chromium, chrome, brave, edge

  /// The folder of the browser's settings, in the user's configuration folder.
  var configurationFolder: String {
    switch self {
    case .chromium: "chromium"
    case .chrome: "google-chrome"
    case .brave: "BraveSoftware/Brave-Browser"
    case .edge: "microsoft-edge"
    }
  }
}

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

  /// Whether the browser installs packages that a file in a folder of its settings names. Browsers with a store of their
  /// own need a policy.
  var readsExternalExtensions: Bool { self == .chromium }
}

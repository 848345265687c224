// SPDX-License-Identifier: Apache-2.0

/// The extension for Chromium, whose files are compiled in.
package enum BrowserExtension {
  /// The identifier that follows from `key` in the manifest.
  package static let identifier = "acdjhjiaknfaaidmdmopiokbcelmaefd"

  /// The name of the native-messaging host, which the extension connects to.
  package static let hostName = "app.raxx.passkey"

  /// The name of the file that describes the extension.
  static let manifestName = "manifest.json"

  /// The files by name.
  package static let files: [(name: String, content: [UInt8])] = [
    ("approval-window.js", PackageResources.approval_window_js),
    ("approval.css", PackageResources.approval_css),
    ("approval.html", PackageResources.approval_html),
    ("approval.js", PackageResources.approval_js),
    ("background.js", PackageResources.background_js),
    (manifestName, PackageResources.manifest_json),
  ]

  /// Returns the origin of an extension, as the browser names it to the host.
  package static func origin(of identifier: String) -> String { "chrome-extension://\(identifier)/" }

  /// Whether the text can be the identifier of an extension: 32 letters from a to p.
  package static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { (byte) in (UInt8(ascii: "a")...UInt8(ascii: "p")).contains(byte) }
  }
}

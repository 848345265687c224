// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import WebAuthnTypes

/// A page's call, as the browser describes it: the origin of the page, and its options.
///
/// The browser adds the origin to the options as the extension `remoteDesktopClientOverride`. The browser does not say
/// which page embeds an iframe, only that one of another origin does.
package struct PageCall: Sendable {
  /// The origin of the page that calls.
  package let origin: WebOrigin

  /// Whether a page of another origin embeds it.
  package let isCrossOrigin: Bool

  /// The options as JSON text.
  package let options: [UInt8]

  /// Parses the options of the browser.
  ///
  /// - Throws: `browser-host.message-malformed` or `browser-host.origin-missing`.
  package init(details: [UInt8]) throws(BrowserError) {
    let override: JSONValue?
    do throws(WireError) {
      override = try JSON.parse(details[...])["extensions"]?.unlessNull?["remoteDesktopClientOverride"]?.unlessNull
    } catch {
      throw BrowserError(.messageMalformed, "options: \(error)")
    }
    guard let override else { throw BrowserError(.originMissing) }
    do throws(WireError) {
      guard let origin = try? WebOrigin(try override.require("origin").string) else {
        throw WireError(.jsonWrongType, at: override.offset)
      }
      self.origin = origin
      isCrossOrigin = try !override.require("sameOriginWithAncestors").bool
    } catch {
      throw BrowserError(.originMissing, "\(error)")
    }
    options = details
  }
}

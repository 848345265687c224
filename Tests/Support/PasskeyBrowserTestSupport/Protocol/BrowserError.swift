// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// Why the browser did not do what a test asked for.
package enum BrowserError: Error {
  /// The browser could not be started.
  case notStarted(String)
  /// The browser ended; with the last lines of its standard error.
  case ended(String)
  /// The browser did not answer, or a condition did not hold, within the limit of `HangGuard`.
  case hung(String)
  /// The browser sent a message that is not JSON.
  case malformedMessage(WireError)
  /// The browser refused a command.
  case refused(command: String, message: String)
  /// A script threw; with its error.
  case threw(String)
  /// A page did not load.
  case notLoaded(url: String, reason: String)
  /// The process of a page crashed.
  case crashed
  /// No element matches a selector.
  case noElement(selector: String)
}

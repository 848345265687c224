// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The error type of this module: a message of the browser is invalid, or an installation failed.
package struct BrowserError: CodedError {
  /// The error code.
  package let code: Code

  /// The expected or the found value, for display; nil if the code is sufficient.
  package let detail: String?

  package init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  /// The cause of an error. Released values are never renamed; new ones may be added.
  package enum Code: String, CaseIterable, Sendable {
    /// A message is longer than the limit.
    case messageTooLong = "browser-host.message-too-long"

    /// The browser closed the connection in the middle of a message.
    case messageTruncated = "browser-host.message-truncated"

    /// A message is not JSON, or lacks a member, or its type is unknown.
    case messageMalformed = "browser-host.message-malformed"

    /// The browser does not say which origin asks.
    case originMissing = "browser-host.origin-missing"

    /// Too many ceremonies are waiting.
    case busy = "browser-host.busy"

    /// Reading from or writing to the browser failed.
    case connectionFailed = "browser-host.connection-failed"

    /// The socket for the questions of browsers cannot be opened, or another terminal has it.
    case cannotListen = "browser-host.cannot-listen"

    /// The extension cannot be packed.
    case packingFailed = "browser-host.packing-failed"

    /// The response cannot be changed as the fault describes.
    case faultNotApplicable = "browser-host.fault-not-applicable"

    /// A file of the installation cannot be read, written or deleted.
    case fileFailed = "browser-host.file-failed"

    /// The record of installations is malformed.
    case recordMalformed = "browser-host.record-malformed"

    /// No browser is installed for which the extension could be set up.
    case noBrowser = "browser-host.none-found"

    /// Nothing is installed for this browser.
    case notInstalled = "browser-host.not-installed"
  }
}

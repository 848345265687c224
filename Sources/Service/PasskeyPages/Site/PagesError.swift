// SPDX-License-Identifier: Apache-2.0

/// The error type of this module: a file of the pages is invalid.
public struct PagesError: Error, Hashable, Sendable {
  /// The error code.
  public let code: Code

  /// The name of the file.
  public let file: String

  /// The name of a text, or the found value, for display; empty if the code is sufficient.
  public let detail: String

  init(_ code: Code, in file: String, _ detail: String = "") {
    self.code = code
    self.file = file
    self.detail = detail
  }
}

extension PagesError: CustomStringConvertible {
  /// The code, the file and the details, for a log line or a terminal.
  public var description: String {
    "\(code.rawValue) (\(file))" + (detail.isEmpty ? "" : ": \(detail)")
  }
}

extension PagesError {
  /// The error codes. Raw values are stable: codes are added, never renamed or removed.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The texts of a language are not a JSON object of sections and names.
    case textsMalformed = "pages.texts-malformed"
    /// A page has a placeholder without a text, or a language has no name.
    case textMissing = "pages.text-missing"
    /// The descriptions of actions are not JSON, or one of a row has a wrong form.
    case actionsMalformed = "pages.actions-malformed"
    /// A page is not UTF-8, or has a placeholder without an end.
    case pageMalformed = "pages.page-malformed"
  }
}

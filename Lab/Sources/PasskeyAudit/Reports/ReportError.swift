// SPDX-License-Identifier: Apache-2.0

/// A file of reports, or from which an audit learns, is invalid.
package struct ReportError: Error, Hashable, Sendable {
  package let code: Code
  /// The fault, for display. It may contain text of the file.
  package let detail: String

  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

extension ReportError {
  /// The error codes. Raw values are stable: codes are added, never renamed or removed.
  package enum Code: String, CaseIterable, Sendable {
    /// The baseline is not JSON, or an entry is incomplete or names no check.
    case baselineInvalid = "report.baseline-invalid"
    /// The report is not the JSON of an audit.
    case reportInvalid = "report.invalid"
    /// The recording is not a HAR file, a list of curl commands or an OpenAPI document.
    case recordingInvalid = "recording.invalid"
    /// The recording has no sign-in.
    case recordingIncomplete = "recording.incomplete"
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The reason why a load cannot run.
package struct LoadError: CodedError {
  /// The causes.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// A plan is not JSON of the expected form, or one of its values is out of range.
    case invalidPlan = "load.invalid-plan"
    /// An objective does not have the form `METRIC<VALUE`.
    case invalidObjective = "load.invalid-objective"
    /// The user has not declared that the server may be loaded.
    case consentMissing = "load.consent-missing"
    /// The profile lacks an endpoint that the plan needs.
    case endpointMissing = "load.endpoint-missing"
    /// The server created no accounts.
    case noAccounts = "load.no-accounts"
    /// The server verifies email addresses, so that a registration alone creates no account.
    case addressUnverified = "load.address-unverified"
    /// An operation needs a session, but no session is open.
    case noSession = "load.no-session"
    /// The load ended before an operation could start, because the maximum number was running.
    case notStarted = "load.not-started"
    /// libcurl cannot be used, or the system has no more descriptors.
    case libraryUnusable = "load.library-unusable"
  }

  package let code: Code
  package let detail: String

  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

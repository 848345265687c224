// SPDX-License-Identifier: Apache-2.0

extension Check {
  /// All checks, in the order in which they run.
  package static let all = [
    registrationChecks, authenticationChecks, stateChecks, sessionChecks, enumerationChecks, stepUpChecks, httpChecks,
    documentChecks, managementChecks, limitChecks,
  ].flatMap(\.self)
}

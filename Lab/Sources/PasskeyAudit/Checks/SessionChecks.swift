// SPDX-License-Identifier: Apache-2.0

extension Check {
  static let sessionChecks = sessionTokenChecks + sessionEndChecks + cookieChecks
}

// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let management = list([:])
}

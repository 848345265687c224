// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let limits = list([
    "limits.owner-lock-out": "Ten failed sign-ins lock the account.",
    "limits.body-size": "Bodies have no limit below 16 MiB.",
    "limits.sign-in-attempts": "Sign-ins have no limit.",
    "limits.retry-after": "A response with 429 has no Retry-After.",
    "limits.forwarded-for": "The limit of a client counts the address in X-Forwarded-For.",
  ])
}

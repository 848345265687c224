// SPDX-License-Identifier: Apache-2.0

/// The note of `passkey audit` and `passkey load` about a server that limits their requests.
package enum RateLimitNote {
  package static let text =
    "the server limits us (429): raise its rate limits for the test; those of passkey-server are "
    + "--ceremonies-per-minute and --ceremonies-per-account"
}

// SPDX-License-Identifier: Apache-2.0

/// The outcome of a request, and the cookies after it. The cookies are set even if the reply was rejected.
struct Exchange: Sendable {
  let outcome: Result<ServerReply, ClientError>
  /// Nil if the cookies did not change, or if they exceed the jar's limits.
  let cookies: CookieJar?

  init(_ outcome: Result<ServerReply, ClientError>, cookies: CookieJar? = nil) {
    self.outcome = outcome
    self.cookies = cookies
  }
}

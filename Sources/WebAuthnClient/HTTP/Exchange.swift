// SPDX-License-Identifier: Apache-2.0

/// How a request ended, and the cookies that there are after it, also where its answer was not taken.
struct Exchange: Sendable {
  let outcome: Result<ServerReply, ClientError>
  /// Nil where nothing changed them, or where they are more than are kept.
  let cookies: CookieJar?

  init(_ outcome: Result<ServerReply, ClientError>, cookies: CookieJar? = nil) {
    self.outcome = outcome
    self.cookies = cookies
  }
}

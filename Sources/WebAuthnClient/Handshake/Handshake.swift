// SPDX-License-Identifier: Apache-2.0

/// What somebody does with a server and a passkey: register, sign in, confirm an act, sign out.
///
/// Each step is one request after the other, and nothing is ever sent twice. A server's no is
/// ``ClientError/Code-swift.enum/refusedByServer``, with what it said in ``ClientError/problem``. What an answer changes of
/// a session is in the session that was given.
///
/// ```swift
/// let http = HTTPSession(server: try ServerAddress("https://api.raxx.app"))
/// let handshake = Handshake(profile: .raxx, http: http, client: client)
/// var session = try await handshake.signIn(user: "ada@example.org")
/// let outcome = try await handshake.send(method: "GET", path: "/api/portfolio", in: &session)
/// ```
public struct Handshake: Sendable {
  /// How the server calls things.
  public let profile: ServerProfile

  /// By what it is reached.
  public let http: HTTPSession

  /// The browser's half, with the authenticator.
  public let client: Client

  /// The marks by which servers know this client again.
  public let marks: any ClientMarkStore

  /// A handshake with one server. Pass a store of marks that outlives the process if the server limits requests.
  public init(
    profile: ServerProfile, http: HTTPSession, client: Client, marks: any ClientMarkStore = MemoryClientMarks()
  ) {
    self.profile = profile
    self.http = http
    self.client = client
    self.marks = marks
  }
}

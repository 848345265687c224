// SPDX-License-Identifier: Apache-2.0

public import PasskeyProfiles
public import WebAuthnBrowser

/// The ceremonies with a server: registration, sign-in, step-up, sign-out and account management.
///
/// Requests are sent one after the other and never twice. If the server refuses a request, the error is
/// ``/WebAuthnBrowser/ClientError/Code-swift.enum/refusedByServer`` and ``/WebAuthnBrowser/ClientError/problem`` has the details. Methods update the
/// session that they are given.
///
/// ```swift
/// let http = HTTPSession(server: try ServerAddress("https://api.raxx.app"))
/// let handshake = Handshake(profile: .raxx, http: http, client: client)
/// var session = try await handshake.signIn(user: "ada@example.org")
/// let outcome = try await handshake.send(method: "GET", path: "/api/portfolio", in: &session)
/// ```
public struct Handshake: Sendable {
  /// The server's routes and messages.
  public let profile: ServiceProfile

  /// The connection to the server.
  public let http: HTTPSession

  /// The WebAuthn client with its authenticator.
  public let client: Client

  /// The store of marks by which servers recognize this client.
  package let marks: any ClientMarkStore

  /// Creates a handshake with one server. If the server has rate limits, pass a store of marks that persists across
  /// runs.
  public init(
    profile: ServiceProfile, http: HTTPSession, client: Client, marks: any ClientMarkStore = MemoryClientMarks()
  ) {
    self.profile = profile
    self.http = http
    self.client = client
    self.marks = marks
  }
}

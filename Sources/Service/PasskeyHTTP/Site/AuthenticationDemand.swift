// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import PasskeyService

extension SiteAccess {
  /// How strongly and how recently a user must be authenticated for a route (RFC 9470).
  public struct AuthenticationDemand: Error, Hashable, Sendable {
    /// The longest time since the user presented a passkey; nil for any.
    public var maximumAge: Duration?

    /// The classes of which one is required; empty for any.
    public var classes: [AccountSession.Strength.ContextClass]

    /// Creates a demand.
    public init(maximumAge: Duration? = nil, classes: [AccountSession.Strength.ContextClass] = []) {
      self.maximumAge = maximumAge
      self.classes = classes
    }

    /// Returns whether an assertion at `time` is too old.
    func isTooOld(_ time: UnixTime, at now: UnixTime) -> Bool {
      maximumAge.map { time + $0 < now } ?? false
    }

    /// The challenge of the 401 response.
    var challenge: String {
      var text = #"Bearer error="insufficient_user_authentication", "#
      text += #"error_description="the route requires another authentication""#
      if !classes.isEmpty { text += #", acr_values="\#(classes.map(\.rawValue).joined(separator: " "))""# }
      if let maximumAge { text += #", max_age="\#(maximumAge.components.seconds)""# }
      return text
    }
  }
}

extension Endpoints {
  /// Throws a demand, which becomes a 401 response with its challenge, unless a session satisfies it.
  ///
  /// A page then verifies the user again (`passkeys.reverify()`), or signs in with another passkey, and repeats the request.
  ///
  /// - Throws: The demand, or a `ServiceError` with a storage code.
  public func require(
    _ demand: SiteAccess.AuthenticationDemand, of session: AuthenticatedSession, for request: EndpointRequest
  ) async throws {
    if demand.isTooOld(session.session.verifiedAt, at: clock.time(request)) { throw demand }
    guard !demand.classes.isEmpty else { return }
    guard try await service.strength(of: session.session).satisfies(demand.classes) else { throw demand }
  }
}

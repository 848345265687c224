// SPDX-License-Identifier: Apache-2.0

package import PasskeyProfiles
package import PasskeyService
package import WebAuthnTypes

// The requirements of a service policy on a profile.

extension ServiceProfile {
  /// Checks that a server can serve the profile: other sites cannot make a browser change anything, the session cookie
  /// stays within the RP ID, clients can do what a service policy asks of them, all error codes are known, and only bodies
  /// carry values that a client sends back. Call it when
  /// a server starts. A client needs no such check: its profile describes another server.
  ///
  /// - Parameters:
  ///   - policy: The policy of the service, with its destinations.
  ///   - relyingPartyID: The RP ID of the server.
  ///   - codes: The error codes of the server that embeds the endpoints.
  /// - Throws: `profile.member-missing` for an endpoint, `profile.variable-missing` for a shape, or
  ///   `profile.member-invalid` for a route with GET, the domain of the cookie or the status of an unknown code.
  package func validate(
    for policy: ServicePolicy, of relyingPartyID: RelyingPartyID, knowing codes: Set<String> = []
  ) throws(ProfileError) {
    // Browsers send SameSite=Lax cookies with a navigation from another site, and requests with a safe method pass the
    // check of the origin.
    for (endpoint, contract) in endpoints.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where contract.method == "GET" && !endpoint.allowsGET {
      throw ProfileError(
        .memberInvalid, at: "endpoints.\(endpoint.rawValue)",
        "GET is refused, because a link on another site could trigger it: use POST, PUT, PATCH or DELETE")
    }
    try requireServable()
    if sessions.allows(.cookie), let domain = sessions.cookie.domain,
      !domain.utf8.elementsEqual(relyingPartyID.text.utf8),
      !domain.utf8.reversed().starts(with: ".\(relyingPartyID.text)".utf8.reversed())
    {
      throw ProfileError(
        .memberInvalid, at: "sessions.cookie.domain", "use \(relyingPartyID.text), the RP ID, or a domain below it")
    }
    if policy.contact.verification != .off, let contract = self[.registerVerify] {
      let reason = "addresses of new accounts are verified"
      try require(.verificationToken, in: contract.response, at: "endpoints.register-verify.response", reason)
      try require(.verifyEmail, reason)
      if policy.contact.verification == .beforeFirstUse {
        try require(.errorVerificationToken, in: errors.shape, at: "errors.shape", "a sign-in can begin a verification")
      }
    }
    if !policy.destinations.names(wanting: .emailVerificationRequested).isEmpty {
      for endpoint in [EndpointName.beginVerification, .changeEmail] where self[endpoint] != nil {
        try require(.verifyEmail, "\(endpoint.rawValue) begins a verification")
      }
    }
    if case .email = policy.contact.recovery {
      let reason = "accounts are recovered by mail"
      try require(.requestRecovery, reason)
      try require(.registerOptions, reason)
      let contract = self[.registerOptions]
      try require(
        .code, in: contract?.request ?? contract?.query, at: "endpoints.register-options.request", reason)
    }
    for code in errors.statuses.keys.sorted()
    where ServiceError.Code(rawValue: code) == nil && EndpointError.Code(rawValue: code) == nil && !codes.contains(code)
    {
      throw ProfileError(.memberInvalid, at: "errors.statuses.\(code)", "no error has this code")
    }
  }

  /// Throws for what only a client does with another server: it computes values, writes forms and JSON in strings, and sends
  /// values back in a path, a query or a header field.
  private func requireServable() throws(ProfileError) {
    func refuse(_ path: String, _ what: String) -> ProfileError {
      ProfileError(.memberInvalid, at: path, "\(what): only a client uses this, with another server")
    }
    if sessions.scheme != .bearer { throw refuse("sessions.scheme", "the server reads Bearer") }
    if headers.sendsOrigin { throw refuse("headers.send.Origin", "the server sends no origin") }
    if !values.isEmpty { throw refuse("values", "the server computes no values") }
    if !headers.sent.isEmpty { throw refuse("headers.send", "the server reads no such fields") }
    for (endpoint, contract) in endpoints.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let path = "endpoints.\(endpoint.rawValue)"
      if let beginning = endpoint.beginning.flatMap({ self[$0] }), beginning.method == contract.method,
        beginning.path == contract.path
      {
        throw refuse("\(path).route", "the ceremony begins at the same place")
      }
      if contract.page != nil { throw refuse("\(path).page", "the server answers in JSON") }
      if contract.location != nil { throw refuse("\(path).location", "the server answers in JSON") }
      if !contract.before.isEmpty { throw refuse("\(path).before", "the server needs no requests before") }
      if contract.request?.hasParts == true { throw refuse("\(path).request", "the server reads whole responses") }
      if contract.isForm { throw refuse("\(path).encoding", "the server reads no forms") }
      if !contract.keptNamesOfPath.isEmpty { throw refuse("\(path).route", "the server returns values in bodies") }
      if contract.query?.keptNames.isEmpty == false {
        throw refuse("\(path).query", "the server returns values in bodies")
      }
      for (name, shape) in [("request", contract.request), ("response", contract.response)]
      where shape?.hasEncodedJSON == true {
        throw refuse("\(path).\(name)", "the server has no JSON in strings")
      }
    }
  }

  private func require(_ endpoint: EndpointName, _ reason: String) throws(ProfileError) {
    guard self[endpoint] == nil else { return }
    throw ProfileError(.memberMissing, at: "endpoints.\(endpoint.rawValue)", "the endpoint is needed: \(reason)")
  }

  private func require(
    _ variable: ShapeVariable, in shape: Shape?, at path: String, _ reason: String
  ) throws(ProfileError) {
    guard shape?.variables.contains(variable) != true else { return }
    throw ProfileError(.variableMissing, at: path, "add $\(variable.rawValue): \(reason)")
  }
}

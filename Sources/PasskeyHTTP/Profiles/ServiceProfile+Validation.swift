// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import ServiceProfiles

// What a service policy asks of a profile.

extension ServiceProfile {
  /// Checks that clients can do what a service policy asks of them, and that the profile has no statuses of unknown error
  /// codes. Call it when a server starts.
  ///
  /// - Parameters:
  ///   - policy: The policy of the service, with its destinations.
  ///   - codes: The error codes of the server that embeds the endpoints.
  /// - Throws: `profile.member-missing` for an endpoint, `profile.variable-missing` for a shape, or
  ///   `profile.member-invalid` for the status of an unknown code.
  public func validate(for policy: ServicePolicy, knowing codes: Set<String> = []) throws(ProfileError) {
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
    where ServiceError.Code(rawValue: code) == nil && HTTPError.Code(rawValue: code) == nil && !codes.contains(code) {
      throw ProfileError(.memberInvalid, at: "errors.statuses.\(code)", "no error has this code")
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

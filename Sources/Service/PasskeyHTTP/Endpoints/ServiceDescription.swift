// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyService
internal import WebAuthnRelyingParty

/// The document of the passkey endpoints: the pages for passkeys, and in `service` what a script in a page needs to call the
/// endpoints of any profile.
///
/// It contains nothing that the OpenAPI document lacks.
struct ServiceDescription {
  private let endpoints: Endpoints

  init(_ endpoints: Endpoints) {
    self.endpoints = endpoints
  }

  var json: [UInt8] {
    let documents = endpoints.documents
    return JSON.writeObject { (object: inout JSONObjectWriter) in
      if let pages = documents.passkeyEndpoints {
        if let enroll = pages.enroll { object.write("enroll", .string(enroll)) }
        if let manage = pages.manage { object.write("manage", .string(manage)) }
        if let details = pages.prfUsageDetails { object.write("prfUsageDetails", .string(details)) }
      }
      object.writeObject("service") { write(to: &$0) }
    }
  }

  /// The member `service` alone.
  var service: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(to: &object) }
  }

  /// The endpoints of administrators, and the paths that report the state of the server.
  var administration: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in
      if let path = endpoints.profile[.health]?.path { object.write("health", .string(path)) }
      if let path = endpoints.profile[.readiness]?.path { object.write("readiness", .string(path)) }
      let contact = endpoints.service.policy.contact
      object.write("mailsInvitations", .bool(contact.invitations == .email))
      let recoversVerified = contact.recovery != .administrator && contact.verification != .off
      object.write("recoversVerifiedOnly", .bool(recoversVerified && showsVerification))
      writeEndpoints(to: &object) { $0.requiresAdministrator }
    }
  }

  private func write(to service: inout JSONObjectWriter) {
    let profile = endpoints.profile
    service.write("name", .string(profile.name))
    service.writeObject("identifiers") { (identifiers) in
      identifiers.write("email", .string(profile.identifiers.email.rawValue))
      identifiers.write("username", .string(profile.identifiers.username.rawValue))
    }
    service.writeArray("tokens") { (tokens) in
      for delivery in profile.sessions.deliveries { tokens.write(delivery.rawValue) }
    }
    service.writeObject("headers") { (headers) in
      headers.write("stepUp", .string(profile.headers.stepUp))
      headers.write("client", .string(profile.headers.client))
      headers.write("tokens", .string(profile.headers.tokens))
      headers.write("sessionExpiry", .string(profile.headers.sessionExpiry))
    }
    let policy = endpoints.service.policy
    service.write("signUp", .string(policy.signUp.rawValue))
    let sessions = policy.sessions
    service.write("warningSeconds", .integer(sessions.warning.components.seconds))
    service.write("renewsSessions", .bool(sessions.renewal != nil))
    profile.errors.shape.writeDefinition("error", to: &service)
    writeEndpoints(to: &service) { !$0.requiresAdministrator }
    if let script = endpoints.documents.script {
      service.writeObject("script") { (object) in
        object.write("path", .string(script.path))
        object.write("integrity", .string(script.integrity))
      }
    }
  }

  private func writeEndpoints(to object: inout JSONObjectWriter, where isIncluded: (Endpoint) -> Bool) {
    object.writeObject("endpoints") { (object) in
      for (endpoint, contract) in endpoints.served
      where isIncluded(endpoint) && !endpoint.name.hasFixedResponse && isOffered(endpoint.name) {
        object.writeObject(endpoint.name.rawValue) { (object) in
          object.write("route", .string("\(contract.method) \(contract.path)"))
          contract.request?.writeDefinition("request", to: &object)
          contract.query?.writeDefinition("query", to: &object)
          contract.response?.writeDefinition("response", to: &object)
        }
      }
    }
  }

  /// Whether lists of accounts say which addresses are verified.
  private var showsVerification: Bool {
    endpoints.profile[.users]?.response?.elementVariables.contains(.accountEmailVerified) ?? false
  }

  /// Whether the policy of the service allows the endpoint. The others would refuse every request.
  private func isOffered(_ name: EndpointName) -> Bool {
    let policy = endpoints.service.policy
    return switch name {
    case .requestRecovery, .cancelRecovery: policy.contact.recovery != .administrator
    case .beginSignUp:
      policy.contact.verification == .required && policy.signUp != .invitation && endpoints.profile.admitsSignUps
    case .verifyEmail, .resendVerification, .beginVerification, .changeEmail:
      !policy.destinations.names(wanting: .emailVerificationRequested).isEmpty
    default: true
    }
  }
}

extension Endpoints {
  /// The name of the service that users see.
  package var serviceName: String { service.relyingParty.name }

  /// The description of the service for scripts in pages, as JSON: the member `service` of `/.well-known/passkey-endpoints`.
  package var serviceDescription: [UInt8] { ServiceDescription(self).service }

  /// The description of the endpoints of administrators, as JSON, with the paths of the health endpoints.
  package var administrationDescription: [UInt8] { ServiceDescription(self).administration }
}

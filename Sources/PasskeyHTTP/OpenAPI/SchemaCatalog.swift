// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// The schemas of this server, with the member names of its profile and the features of its policy.
struct SchemaCatalog {
  let profile: RouteProfile

  /// Whether sessions are renewable.
  let renewsSessions: Bool

  init(_ endpoints: Endpoints) {
    profile = endpoints.profile
    renewsSessions = endpoints.service.policy.sessions.renewal != nil
  }

  /// Whether tokens are sent in cookies and never in bodies.
  var usesCookies: Bool { if case .cookie = profile.tokens { true } else { false } }

  /// Returns the definition of a named schema.
  func schema(of name: NamedSchema) -> JSONSchema {
    switch name {
    case .account: account
    case .session: Self.session
    case .credential: Self.credential
    case .device: Self.device
    case .accountExport: Self.accountExport
    case .auditEntry: Self.auditEntry
    case .whoIsSignedIn:
      .object([accountMember, .required("session", .reference(.session)), .required("expiresAt", .dateTime)])
    case .openedSession: .object(verified + openedSession)
    case .registration: .object(verified + [accountMember, Self.credentialMember])
    case .registrationWithSession: .object(verified + openedSession + [Self.credentialMember])
    case .stepUpGrant: .object(verified + Self.grant)
    case .changedAccount: .object([accountMember])
    case .issuedCode: .object([.required("code", .string), .required("expiresAt", .dateTime)])
    case .creationOptions: Self.creationOptions
    case .requestOptions: Self.requestOptions
    case .credentialDescriptor: Self.credentialDescriptor
    case .registrationResponse: Self.registrationResponse
    case .authenticationResponse: Self.authenticationResponse
    case .acceptedCredentials: Self.acceptedCredentials
    case .problem: Self.problem
    case .stepUpDemand: stepUpDemand
    case .serverStatus: .object([.required("status", .string)])
    }
  }

  /// The member with the account, named by the profile.
  var accountMember: JSONSchema.Member { .required(profile.accountMember, .reference(.account)) }

  private var verified: [JSONSchema.Member] { profile.saysVerified ? [.required("verified", .constantTrue)] : [] }

  private var openedSession: [JSONSchema.Member] {
    var members: [JSONSchema.Member] = []
    if !usesCookies {
      members += [.required("token", .base64URL), .required("tokenType", .enumeration(["Bearer"]))]
      if renewsSessions { members.append(.required("refreshToken", .base64URL)) }
      members.append(.required("clientToken", .string))
    }
    members.append(.required("expiresAt", .dateTime))
    if renewsSessions { members.append(.required("refreshExpiresAt", .dateTime)) }
    return members + [accountMember]
  }

  private static let grant: [JSONSchema.Member] = [
    .required("header", .enumeration([StepUpDemand.header])), .required("grant", .base64URL),
    .required("expiresAt", .dateTime),
  ]

  private static let problem = JSONSchema.object([
    .required("type", .text(.uri)), .required("title", .string), .required("status", .integer),
    .required("code", .string),
    .optional("member", .string), .optional("stepUp", .reference(.stepUpDemand)),
    .optional("origin", .string),
    .optional("signal", .object([.required("rpId", .string), .required("credentialId", .base64URL)])),
    .required("requestId", .string),
  ])

  private var stepUpDemand: JSONSchema {
    let members: [JSONSchema.Member] = [
      .required("method", .string), .required("path", .string), .required("bodySha256", .base64URL),
      .required("header", .enumeration([StepUpDemand.header])),
    ]
    return .object(members + (profile.paths[.stepUpOptions].map { [.required("options", .enumeration([$0]))] } ?? []))
  }
}

/// The named schemas of the OpenAPI document.
enum NamedSchema: String, Hashable, Sendable, CaseIterable {
  // Accounts and related objects
  case account = "Account"
  case session = "Session"
  case credential = "Credential"
  case device = "Device"
  case accountExport = "AccountExport"
  case auditEntry = "AuditEntry"

  // Responses about the current session and to finished ceremonies
  case whoIsSignedIn = "WhoIsSignedIn"
  case openedSession = "OpenedSession"
  case registration = "Registration"
  case registrationWithSession = "RegistrationWithSession"
  case stepUpGrant = "StepUpGrant"

  // Responses to administrators
  case changedAccount = "ChangedAccount"
  case issuedCode = "IssuedCode"

  // WebAuthn messages to and from browsers, with the names of the standard (WebAuthn §5.1)
  case creationOptions = "CreationOptions"
  case requestOptions = "RequestOptions"
  case credentialDescriptor = "CredentialDescriptor"
  case registrationResponse = "RegistrationResponse"
  case authenticationResponse = "AuthenticationResponse"
  case acceptedCredentials = "AllAcceptedCredentials"

  // Errors
  case problem = "Problem"
  case stepUpDemand = "StepUpDemand"

  // Monitoring
  case serverStatus = "ServerStatus"
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// The shapes of this server, with the member names of its profile and the features of its policy.
struct Vocabulary {
  let profile: RouteProfile

  /// Whether sessions are renewable.
  let renewsSessions: Bool

  init(_ endpoints: Endpoints) {
    profile = endpoints.profile
    renewsSessions = endpoints.service.policy.sessions.renewal != nil
  }

  /// Whether tokens are sent in cookies and never in bodies.
  var usesCookies: Bool { if case .cookie = profile.tokens { true } else { false } }

  /// Returns the definition of a shared shape.
  func shape(of shared: SharedShape) -> Shape {
    switch shared {
    case .account: account
    case .session: Self.session
    case .credential: Self.credential
    case .device: Self.device
    case .accountExport: Self.accountExport
    case .auditEntry: Self.auditEntry
    case .whoIsSignedIn:
      .object([accountMember, .always("session", .shared(.session)), .always("expiresAt", .dateTime)])
    case .openedSession: .object(verified + openedSession)
    case .registration: .object(verified + [accountMember, Self.credentialMember])
    case .registrationWithSession: .object(verified + openedSession + [Self.credentialMember])
    case .stepUpGrant: .object(verified + Self.grant)
    case .changedAccount: .object([accountMember])
    case .issuedCode: .object([.always("code", .string), .always("expiresAt", .dateTime)])
    case .creationOptions: Self.creationOptions
    case .requestOptions: Self.requestOptions
    case .credentialDescriptor: Self.credentialDescriptor
    case .registrationResponse: Self.registrationResponse
    case .authenticationResponse: Self.authenticationResponse
    case .acceptedCredentials: Self.acceptedCredentials
    case .problem: Self.problem
    case .stepUpDemand: stepUpDemand
    case .serverStatus: .object([.always("status", .string)])
    }
  }

  /// The member with the account, named by the profile.
  var accountMember: Shape.Member { .always(profile.accountMember, .shared(.account)) }

  private var verified: [Shape.Member] { profile.saysVerified ? [.always("verified", .yes)] : [] }

  private var openedSession: [Shape.Member] {
    var members: [Shape.Member] = []
    if !usesCookies {
      members += [.always("token", .base64URL), .always("tokenType", .oneOf(["Bearer"]))]
      if renewsSessions { members.append(.always("refreshToken", .base64URL)) }
      members.append(.always("clientToken", .string))
    }
    members.append(.always("expiresAt", .dateTime))
    if renewsSessions { members.append(.always("refreshExpiresAt", .dateTime)) }
    return members + [accountMember]
  }

  private static let grant: [Shape.Member] = [
    .always("header", .oneOf([StepUpDemand.header])), .always("grant", .base64URL), .always("expiresAt", .dateTime),
  ]

  private static let problem = Shape.object([
    .always("type", .text(.uri)), .always("title", .string), .always("status", .integer), .always("code", .string),
    .sometimes("member", .string), .sometimes("stepUp", .shared(.stepUpDemand)), .always("requestId", .string),
  ])

  private var stepUpDemand: Shape {
    let members: [Shape.Member] = [
      .always("method", .string), .always("path", .string), .always("bodySha256", .base64URL),
      .always("header", .oneOf([StepUpDemand.header])),
    ]
    return .object(members + (profile.paths[.stepUpOptions].map { [.always("options", .oneOf([$0]))] } ?? []))
  }
}

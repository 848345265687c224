// SPDX-License-Identifier: Apache-2.0

internal import PasskeyProfiles
internal import PasskeyService

/// The schemas of this server: those of the profile's shapes, and those that a standard or the service defines.
///
/// A named shape of the profile becomes a named schema, unless it contains a WebAuthn message, whose schema depends on the
/// endpoint.
struct SchemaCatalog {
  let profile: ServiceProfile

  init(_ profile: ServiceProfile) {
    self.profile = profile
  }

  /// Whether some responses set cookies.
  var usesCookies: Bool { profile.sessions.allows(.cookie) }

  /// Whether clients may hold tokens.
  var usesTokens: Bool { profile.sessions.allows(.bearer) }

  /// Returns the definition of a schema that is the same in all profiles.
  func schema(of name: NamedSchema) -> JSONSchema {
    switch name {
    case .accountExport: Self.accountExport
    case .auditEntry: Self.auditEntry
    case .creationOptions: Self.creationOptions
    case .requestOptions: Self.requestOptions
    case .credentialDescriptor: Self.credentialDescriptor
    case .registrationResponse: Self.registrationResponse
    case .authenticationResponse: Self.authenticationResponse
    case .acceptedCredentials: Self.acceptedCredentials
    case .currentUserDetails: Self.currentUserDetails
    case .stepUpDemand: stepUpDemand
    case .serverStatus: .object([.required("status", .string)])
    }
  }

  private var stepUpDemand: JSONSchema {
    let members: [JSONSchema.Member] = [
      .required("method", .string), .required("path", .string), .required("bodySha256", .base64URL),
      .required("header", .enumeration([profile.headers.stepUp])),
    ]
    return .object(members + (profile[.stepUpOptions].map { [.required("options", .enumeration([$0.path]))] } ?? []))
  }

  /// Returns the schemas of the named shapes that are reachable from a schema, by name.
  func components(of endpoints: [(endpoint: Endpoint, contract: EndpointContract)]) -> [(String, JSONSchema)] {
    var found: [String: (EndpointName?, Shape.Node)] = [:]
    for (endpoint, contract) in endpoints {
      for shape in [contract.request, contract.response].compactMap(\.self) {
        collect(shape.root, of: endpoint.name, into: &found)
      }
    }
    collect(profile.errors.shape.root, of: nil, into: &found)
    return found.keys.sorted().compactMap { (name) in
      found[name].map { (endpoint, node) in (name, schema(of: node, in: endpoint)) }
    }
  }

  private func collect(
    _ node: Shape.Node, of endpoint: EndpointName?, into found: inout [String: (EndpointName?, Shape.Node)]
  ) {
    switch node {
    case .constant, .variable, .flag, .table, .kept, .encoded, .part: break
    case .object(let members): for member in members { collect(member, of: endpoint, into: &found) }
    case .list(_, let node): collect(node, of: endpoint, into: &found)
    case .alternatives(let nodes): for node in nodes { collect(node, of: endpoint, into: &found) }
    case .named(let name, let node):
      if let component = Self.component(name, node) { found[component] = (endpoint, node) }
      collect(node, of: endpoint, into: &found)
    }
  }

  /// Merged members are part of the surrounding object, so that a shape that is only merged needs no schema.
  private func collect(
    _ member: Shape.Member, of endpoint: EndpointName?, into found: inout [String: (EndpointName?, Shape.Node)]
  ) {
    guard member.name == nil else { return collect(member.node, of: endpoint, into: &found) }
    guard case .object(let members) = member.node.withoutName else { return }
    for member in members { collect(member, of: endpoint, into: &found) }
  }

  /// Returns the name of the schema of a named shape; nil if the shape has none of its own.
  private static func component(_ name: String, _ node: Shape.Node) -> String? {
    let contents = Shape(node).variables
    guard contents.isDisjoint(with: [.credential, .options]), case .object = node.withoutName else { return nil }
    let words = name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let component = words.joined()
    return NamedSchema(rawValue: component) == nil ? component : "\(component)Shape"
  }

  // MARK: Shapes

  /// Returns the schema of a shape. The endpoint decides which WebAuthn message a variable stands for.
  func schema(of shape: Shape, in endpoint: EndpointName?) -> JSONSchema { schema(of: shape.root, in: endpoint) }

  private func schema(of node: Shape.Node, in endpoint: EndpointName?) -> JSONSchema {
    switch node {
    case .constant(.boolean(true)): .constantTrue
    case .constant(.boolean): .boolean
    case .constant(.text): .string
    case .constant(.number), .constant(.null): .any
    case .variable(let variable): schema(of: variable, in: endpoint)
    case .flag: .boolean
    case .kept, .encoded, .part: .string
    case .object(let members): object(members, in: endpoint)
    case .list(_, let node): .array(reference(to: node, in: endpoint))
    case .table(_, let rows): Self.schema(of: rows)
    case .alternatives(let nodes): .anyOf(nodes.map { reference(to: $0, in: endpoint) })
    case .named(_, let node): schema(of: node, in: endpoint)
    }
  }

  /// Returns a reference to the schema of a named shape, or the schema itself.
  func reference(to node: Shape.Node, in endpoint: EndpointName?) -> JSONSchema {
    if case .named(let name, let shape) = node, let component = Self.component(name, shape) {
      return .reference(component)
    }
    return schema(of: node, in: endpoint)
  }

  /// Returns the schema of an object. Merged WebAuthn messages stay references; the members of merged shapes are listed.
  private func object(_ members: [Shape.Member], in endpoint: EndpointName?) -> JSONSchema {
    var merged: [JSONSchema] = []
    var listed: [JSONSchema.Member] = []
    var others: JSONSchema?
    for member in members {
      if let name = member.name {
        let schema = reference(to: member.node, in: endpoint)
        listed.append(member.isOptional ? .optional(name, schema) : .required(name, schema))
        continue
      }
      let schema = self.schema(of: member.node, in: endpoint)
      let parts = if case .allOf(let parts) = schema { parts } else { [schema] }
      for part in parts {
        switch part {
        case .object(let members): listed += members
        case .dictionary(let value, let members): (others, listed) = (value, listed + members)
        default: merged.append(part)
        }
      }
    }
    let own = others.map { .dictionary($0, besides: listed) } ?? JSONSchema.object(listed)
    return merged.isEmpty ? own : .allOf(merged + [own])
  }

  private static func schema(of rows: [Shape.Row]) -> JSONSchema {
    var texts: [String] = []
    for row in rows {
      guard case .text(let text) = row.constant else { return .any }
      if !texts.contains(text) { texts.append(text) }
    }
    return .enumeration(texts)
  }

  private func schema(of variable: ShapeVariable, in endpoint: EndpointName?) -> JSONSchema {
    switch variable {
    case .accountID: profile.identifiers.accountID == .uuid ? .text(.uuid) : .base64URL
    case .noticeAccount, .changeAccount: schema(of: .accountID, in: endpoint)
    case .pageAfter, .pageNext: endpoint == .users ? .base64URL : .string
    case .pageSort: .enumeration([Account.Filter.Order.name, .newest].map(\.rawValue))
    case .accountIDs: .array(schema(of: .accountID, in: endpoint))
    case .accountEmail: .text(.email)
    case .accountState: Self.state
    case .credentialAAGUID, .changeID: .text(.uuid)
    case .credentialAttestation: Self.trust
    case .sessionToken, .sessionRefreshToken, .sessionID, .deviceID, .grantToken, .noticeID, .verificationToken,
      .errorVerificationToken:
      .base64URL
    case .sessionTokenType: .enumeration(["Bearer"])
    case .grantHeader: .enumeration([profile.headers.stepUp])
    case .errorType: .text(.uri)
    case .errorStepUp: .reference(.stepUpDemand)
    case .errorSignal: .object([.required("rpId", .string), .required("credentialId", .base64URL)])
    case .signal: .reference(.acceptedCredentials)
    case .accountSignal: .reference(.currentUserDetails)
    case .noticeState: .enumeration(OutboxState.allCases.map(\.rawValue))
    case .export: .reference(.accountExport)
    case .options: .reference(endpoint?.isRegistration == true ? .creationOptions : .requestOptions)
    case .credential: .reference(endpoint?.isRegistration == true ? .registrationResponse : .authenticationResponse)
    default: Self.schema(of: variable.type)
    }
  }

  private static func schema(of type: ShapeType) -> JSONSchema {
    switch type {
    case .text: .string
    case .bytes: .base64URL
    case .integer: .integer
    case .boolean: .boolean
    case .time: .dateTime
    case .texts: .array(.string)
    case .flags: .dictionary(.boolean)
    case .object, .list: .any
    }
  }
}

extension EndpointName {
  /// Whether the endpoint is part of a registration ceremony.
  fileprivate var isRegistration: Bool {
    [.registerOptions, .registerVerify, .addCredentialOptions, .addCredentialVerify].contains(self)
  }
}

extension Shape.Node {
  /// The node without the name of a named shape.
  fileprivate var withoutName: Shape.Node {
    if case .named(_, let node) = self { node.withoutName } else { self }
  }
}

/// The named schemas that are the same in all profiles.
enum NamedSchema: String, Hashable, Sendable, CaseIterable {
  // The account export
  case accountExport = "AccountExport"
  case auditEntry = "AuditEntry"

  // WebAuthn messages to and from browsers, with the names of the standard (WebAuthn §5.1)
  case creationOptions = "CreationOptions"
  case requestOptions = "RequestOptions"
  case credentialDescriptor = "CredentialDescriptor"
  case registrationResponse = "RegistrationResponse"
  case authenticationResponse = "AuthenticationResponse"
  case acceptedCredentials = "AllAcceptedCredentials"
  case currentUserDetails = "CurrentUserDetails"

  // Errors
  case stepUpDemand = "StepUpDemand"

  // Monitoring
  case serverStatus = "ServerStatus"
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
internal import WebAuthnAttestation
package import WebAuthnRelyingParty
package import WebAuthnTypes

/// A relying party with the four endpoints of FIDO's server tests, in memory: `/attestation/options`,
/// `/attestation/result`, `/assertion/options` and `/assertion/result`.
///
/// Anyone can register a passkey for any name: it is for tests, and no sign-in service. A refusal has the code, the
/// step and the causes beside FIDO's `status` and `errorMessage`.
package struct FIDOServer: Sendable {
  private let relyingParty: RelyingParty
  private var users: [String: User] = [:]
  private var passkeys: [CredentialID: StoredCredential] = [:]
  private var pending: [String: Pending] = [:]

  private struct User {
    let handle: UserHandle
    var passkeys: [CredentialID] = []
  }

  /// A begun ceremony of a session.
  private enum Pending {
    case registration(name: String, [UInt8])
    case authentication([UInt8])
  }

  /// A reply.
  package struct Reply: Sendable {
    /// The status: 200 if the response was accepted, 400 otherwise.
    package let status: Int
    /// The body, a JSON object.
    package let body: [UInt8]
  }

  /// Creates a server without passkeys.
  ///
  /// - Throws: The `ceremony.…` code of an invalid configuration.
  package init(id: RelyingPartyID, origins: [WebOrigin], metadata: FIDOServerMetadata) throws(CeremonyError) {
    relyingParty = try RelyingParty(
      id: id, name: "Conformance", origins: origins,
      policy: .fidoConformance(attestation: metadata.attestationPolicy))
  }

  /// Answers a POST request of a session, the value of a cookie; nil if there is no such path.
  package mutating func answer(_ path: String, _ body: [UInt8], session: String, at now: UnixTime) -> Reply? {
    do {
      switch path {
      case "/attestation/options": return try beginRegistration(body, session, now)
      case "/attestation/result": return try finishRegistration(body, session, now)
      case "/assertion/options": return try beginAuthentication(body, session, now)
      case "/assertion/result": return try finishAuthentication(body, session, now)
      default: return nil
      }
    } catch {
      return Reply(refusing: error)
    }
  }

  // MARK: Registration

  private mutating func beginRegistration(_ body: [UInt8], _ session: String, _ now: UnixTime) throws -> Reply {
    let request = try OptionsRequest(body)
    let user = try users[request.name] ?? User(handle: .random())
    users[request.name] = user
    let begun = try relyingParty.beginRegistration(
      of: UserEntity(id: user.handle, name: request.name, displayName: request.displayName ?? request.name),
      excluding: user.passkeys.compactMap { passkeys[$0]?.record.descriptor },
      userVerification: request.userVerification, attachment: request.attachment, attestation: request.attestation,
      extensions: request.extensions.map { .other($0.name, $0.value) }, binding: CeremonyBinding(session), at: now)
    pending[session] = .registration(name: request.name, begun.pending.bytes)
    return Reply(options: begun.options.json)
  }

  private mutating func finishRegistration(_ body: [UInt8], _ session: String, _ now: UnixTime) throws -> Reply {
    guard case .registration(let name, let bytes)? = pending.removeValue(forKey: session) else {
      throw EndpointFault.nothingPending
    }
    let response = try RegistrationResponse(json: body)
    let verified = try relyingParty.finishRegistration(
      response, pending: PendingRegistration(taken: bytes), binding: CeremonyBinding(session),
      existing: CredentialLookup(passkeys[response.id]), at: now)
    passkeys[verified.credential.record.id] = verified.credential
    users[name]?.passkeys.append(verified.credential.record.id)
    return .accepted
  }

  // MARK: Authentication

  private mutating func beginAuthentication(_ body: [UInt8], _ session: String, _ now: UnixTime) throws -> Reply {
    let request = try OptionsRequest(body)
    guard let user = users[request.name], !user.passkeys.isEmpty else { throw EndpointFault.userUnknown }
    let begun = try relyingParty.beginAuthentication(
      of: .knownBefore(
        user.handle, credentials: user.passkeys.compactMap { passkeys[$0]?.record.descriptor }),
      userVerification: request.userVerification, extensions: request.extensions.map { .other($0.name, $0.value) },
      binding: CeremonyBinding(session), at: now)
    pending[session] = .authentication(begun.pending.bytes)
    return Reply(options: begun.options.json)
  }

  private mutating func finishAuthentication(_ body: [UInt8], _ session: String, _ now: UnixTime) throws -> Reply {
    guard case .authentication(let bytes)? = pending.removeValue(forKey: session) else {
      throw EndpointFault.nothingPending
    }
    let response = try AuthenticationResponse(json: body)
    guard let stored = passkeys[response.id] else { throw EndpointFault.passkeyUnknown }
    let verified = try relyingParty.finishAuthentication(
      response, pending: PendingAuthentication(taken: bytes), binding: CeremonyBinding(session), credential: stored,
      at: now)
    passkeys[stored.record.id] = verified.credential
    return .accepted
  }
}

/// An error of the endpoints themselves.
private enum EndpointFault: String, Error {
  case nothingPending = "conformance.nothing-pending"
  case userUnknown = "conformance.user-unknown"
  case passkeyUnknown = "conformance.passkey-unknown"
  case requestMalformed = "conformance.request-malformed"
}

/// A request for options.
private struct OptionsRequest {
  let name: String
  let displayName: String?
  var userVerification: UserVerificationRequirement?
  var attachment: AuthenticatorAttachment?
  var attestation: AttestationConveyancePreference?
  var extensions: [(name: String, value: ExtensionValue)] = []

  init(_ body: [UInt8]) throws {
    guard let json = try? JSON.parse(body), let name = Self.text("username", in: json), !name.isEmpty else {
      throw EndpointFault.requestMalformed
    }
    self.name = name
    displayName = Self.text("displayName", in: json)
    let selection = (try? json["authenticatorSelection"]?.unlessNull).flatMap { $0 }
    // A sign-in asks at the top, a registration in authenticatorSelection.
    userVerification = Self.text("userVerification", in: selection ?? json).map { .init(rawValue: $0) }
    attachment = selection.flatMap { Self.text("authenticatorAttachment", in: $0) }.map { .init(rawValue: $0) }
    attestation = Self.text("attestation", in: json).map { .init(rawValue: $0) }
    if let requested = (try? json["extensions"]?.unlessNull).flatMap({ $0 }) {
      guard let members = try? requested.members else { throw EndpointFault.requestMalformed }
      for member in members { extensions.append((name: member.name, value: try ExtensionValue(member.value))) }
    }
  }

  private static func text(_ name: String, in json: JSONValue) -> String? {
    (try? json[name]?.unlessNull?.string).flatMap { $0 }
  }
}

extension FIDOServer.Reply {
  fileprivate static let accepted = Self(
    status: 200,
    body: JSON.writeObject { (object: inout JSONObjectWriter) in
      object.write("status", "ok")
      object.write("errorMessage", "")
    })

  fileprivate init(options: [UInt8]) {
    self.init(
      status: 200,
      body: JSON.writeObject { (object: inout JSONObjectWriter) in
        object.write("status", "ok")
        object.write("errorMessage", "")
        object.writeMembers(ofWritten: options)
      })
  }

  fileprivate init(refusing error: any Error) {
    let codes = (error as? EndpointFault).map { [$0.rawValue] } ?? error.codes
    self.init(
      status: 400,
      body: JSON.writeObject { (object: inout JSONObjectWriter) in
        object.write("status", "failed")
        object.write("errorMessage", .string((error as? EndpointFault)?.rawValue ?? "\(error)"))
        if let code = codes.first { object.write("code", .string(code)) }
        if let step = (error as? CeremonyError)?.step { object.write("step", .integer(step)) }
        object.writeArray("causes") { (causes) in for code in codes.dropFirst() { causes.write(code) } }
      })
  }
}

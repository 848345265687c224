// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import WebAuthnTypes

extension FaultyParty {
  /// Begins a ceremony and returns its challenge.
  func begin(
    _ purpose: Purpose, for account: Account?, in session: Session? = nil, of request: EndpointRequest,
    action: Action? = nil, code: String? = nil
  ) throws -> Ceremony {
    let newBinding = usesCookies(request) ? try makeToken() : nil
    var ceremony = Ceremony(
      challenge: try makeChallenge(request), purpose: purpose,
      expiry: request.receivedAt + .seconds(settings.ceremonySeconds), account: account, session: session?.id,
      binding: cookie(Self.ceremonySuffix, of: request) ?? newBinding, action: action, code: code)
    if faults.has("state.verification-downgrade"), member("userVerification", of: request) == "discouraged" {
      ceremony.needsVerification = false
    }
    if purpose == .signIn, faults.has("state.two-pending") {
      ceremonies = ceremonies.filter { $0.value.purpose != .signIn }
    }
    ceremonies[ceremony.challenge] = ceremony
    newestCeremonies[purpose] = ceremony
    return ceremony
  }

  private func makeChallenge(_ request: EndpointRequest) throws -> [UInt8] {
    if faults.has("state.challenge-chosen"), let text = member("challenge", of: request) {
      return try Base64URL.decode(text)
    }
    if faults.has("state.challenge-unique") {
      return [UInt8](repeating: 0x61, count: 24) + (try RandomSource.system.bytes(8))
    }
    return try RandomSource.system.bytes(faults.has("state.challenge-length") ? 8 : 32)
  }

  private func member(_ name: String, of request: EndpointRequest) -> String? {
    (try? JSONBody(request).stringIfPresent(name)) ?? nil
  }

  /// Finds the ceremony of a challenge. Faults find one although the challenge is not its own.
  private func ceremony(of challenge: [UInt8], for purpose: Purpose) -> Ceremony? {
    if let ceremony = ceremonies[challenge] { return ceremony }
    let group = purpose == .registration || purpose == .addition ? "registration" : "authentication"
    switch challenge.count {
    case 0: return faults.has("\(group).challenge-empty") ? newestCeremonies[purpose] : nil
    case 32:
      let isNew = !usedChallenges.contains(challenge)
      return isNew && faults.has("\(group).challenge-other") ? newestCeremonies[purpose] : nil
    default:
      guard faults.has("\(group).challenge-cut") else { return nil }
      return ceremonies.values.first { $0.challenge.starts(with: challenge) }
    }
  }

  /// With a fault, finds a ceremony whose challenge is one that the request names.
  private func echoedCeremony(
    _ clientData: ClientData, for purpose: Purpose, of request: EndpointRequest
  ) -> Ceremony? {
    guard faults.has("state.challenge-echoed"),
      member("challenge", of: request) == Base64URL.encode([UInt8](clientData.challenge))
    else { return nil }
    return newestCeremonies[purpose]
  }

  /// Returns the origin that client data must have. With a fault, it is one that the request names.
  func expectedOrigin(of request: EndpointRequest, _ group: String) -> String {
    faults.has("\(group).origin-field") ? request.headers["origin"] ?? origin : origin
  }

  /// Puts a ceremony back that another request took in the meantime.
  func restoreCeremony(of request: EndpointRequest) async throws {
    guard let response = try? AuthenticationResponse(json: CeremonyBody(request).credential),
      let clientData = try? ClientData(parsing: response.clientDataJSON),
      let ceremony = ceremonies[[UInt8](clientData.challenge)]
    else { return }
    try await Task.sleep(for: .milliseconds(50))
    ceremonies[ceremony.challenge] = ceremony
  }

  /// Finds the ceremony of a response by its challenge and deletes it, so that no other response uses it.
  func take(
    _ clientData: ClientData, for purpose: Purpose, in session: Session? = nil, of request: EndpointRequest
  ) throws -> Ceremony {
    let found = ceremony(of: [UInt8](clientData.challenge), for: purpose)
    guard var ceremony = found ?? echoedCeremony(clientData, for: purpose, of: request) else {
      throw Refusal(.badRequest, "ceremony.unknown")
    }
    let staysUsable =
      switch purpose {
      case .stepUp: faults.has("step-up.replayed-assertion")
      case .signIn: faults.has("state.assertion-replay")
      case .registration: faults.has("state.registration-replay")
      default: false
      }
    if !staysUsable {
      ceremonies[ceremony.challenge] = nil
      usedChallenges.insert(ceremony.challenge)
    }
    if purpose == .stepUp, ceremony.purpose == .signIn, faults.has("step-up.sign-in-assertion") { return ceremony }
    if purpose == .stepUp, faults.has("step-up.other-passkey") { ceremony.admitAnyPasskey() }
    if ceremony.purpose != purpose {
      let fault = "state.purpose-\(ceremony.purpose.name)-as-\(purpose.name)"
      guard faults.ids.contains(fault) else { throw Refusal(.badRequest, "ceremony.purpose") }
      // The fault: a challenge is good for anything.
      if purpose != .registration {
        ceremony.admitAnyPasskey()
      } else if ceremony.account == nil {
        ceremony.account = Account(
          handle: try RandomSource.system.bytes(32), email: ceremony.named?.email ?? "", created: request.receivedAt)
      }
      ceremony.session = session?.id
    }
    guard request.receivedAt < ceremony.expiry || faults.has("state.expiry") else {
      throw Refusal(.gone, "ceremony.expired")
    }
    if ceremony.session != session?.id, purpose != .signIn, purpose != .registration {
      guard faults.ids.contains("state.\(purpose.name)-session") else { throw Refusal(.badRequest, "ceremony.session") }
      if purpose != .addition { ceremony.admitAnyPasskey() }
    }
    let isBound = ceremony.binding == nil || ceremony.binding == cookie(Self.ceremonySuffix, of: request)
    guard isBound || faults.has("state.binding") else { throw Refusal(.badRequest, "ceremony.binding") }
    return ceremony
  }

  /// Responds with options, and with the cookie that binds them to the browser.
  func options(
    _ ceremony: Ceremony, _ request: EndpointRequest, _ body: (inout JSONObjectWriter) -> Void
  ) -> EndpointResponse {
    var response = EndpointResponse.json { (options: inout JSONObjectWriter) in
      options.write("challenge", .base64URL(ceremony.challenge))
      let timeout = settings.ceremonySeconds * 1000
      let isText = ceremony.purpose == .signIn && faults.has("authentication.options-refused/type")
      options.write("timeout", isText ? .string("\(timeout)") : .integer(timeout))
      switch ceremony.purpose {
      case .registration where faults.has("registration.options-refused"),
        .signIn where faults.has("authentication.options-refused"):
        options.write("hints", .null)
      default: break
      }
      options.write("expiresAt", ceremony.expiry)
      body(&options)
    }
    if let binding = ceremony.binding { setCookie(Self.ceremonySuffix, binding, request, in: &response) }
    return response
  }

  /// Returns the options of an assertion.
  func assertionOptions(
    _ ceremony: Ceremony, allowing ids: [[UInt8]], withTransports hasTransports: Bool = false,
    _ request: EndpointRequest,
    _ rest: (inout JSONObjectWriter) -> Void = { (_) in }
  ) -> EndpointResponse {
    ceremonies[ceremony.challenge]?.allowed = ids
    return options(ceremony, request) { (options) in
      rest(&options)
      options.write("rpId", Self.id)
      options.write("userVerification", "required")
      options.writeArray("allowCredentials") { (list: inout JSONArrayWriter) in
        Self.write(ids, withTransports: hasTransports, to: &list)
      }
    }
  }

  /// Returns the options of a registration.
  func creationOptions(_ ceremony: Ceremony, of account: Account, _ request: EndpointRequest) -> EndpointResponse {
    let isStable = ceremony.purpose == .registration || !faults.has("management.user-handle-stable")
    let handle = isStable ? account.handle : Digest.sha256(ceremony.challenge)
    let excluded = faults.has("management.exclude-credentials") ? [] : passkeys(of: account).map(\.id)
    return options(ceremony, request) { (options) in
      options.writeObject("rp") { (party: inout JSONObjectWriter) in
        party.write("id", Self.id)
        party.write("name", "Faulty relying party")
      }
      options.writeObject("user") { (user: inout JSONObjectWriter) in
        user.write("id", .base64URL(handle))
        user.write("name", account.email)
        let isNull = faults.has("registration.options-refused/text")
        user.write("displayName", isNull ? .null : .string(account.email))
      }
      options.writeArray("pubKeyCredParams") { (list: inout JSONArrayWriter) in
        for algorithm in RegistrationCheck.algorithms {
          list.writeObject { (parameters: inout JSONObjectWriter) in
            parameters.write("type", "public-key")
            parameters.write("alg", .integer(algorithm.rawValue))
          }
        }
      }
      options.writeObject("authenticatorSelection") { (selection: inout JSONObjectWriter) in
        if settings.asksForPolicies { selection.write("authenticatorAttachment", "platform") }
        selection.write("residentKey", "required")
        selection.write("requireResidentKey", true)
        selection.write("userVerification", "required")
      }
      if settings.asksForPolicies {
        options.writeObject("extensions") { (extensions: inout JSONObjectWriter) in
          extensions.write("credProps", true)
        }
      }
      options.write("attestation", settings.asksForAttestation ? "direct" : "none")
      options.writeArray("excludeCredentials") { (list: inout JSONArrayWriter) in
        Self.write(excluded, to: &list)
      }
    }
  }

  private static func write(
    _ ids: [[UInt8]], withTransports hasTransports: Bool = false, to list: inout JSONArrayWriter
  ) {
    for id in ids {
      list.writeObject { (descriptor: inout JSONObjectWriter) in
        descriptor.write("type", "public-key")
        descriptor.write("id", .base64URL(id))
        if hasTransports { descriptor.writeArray("transports") { $0.write("internal") } }
      }
    }
  }
}

/// A JSON body, whose `credential` member or whose whole holds the response of an authenticator.
struct CeremonyBody {
  let json: JSONBody

  init(_ request: EndpointRequest) throws {
    json = try JSONBody(request)
  }

  /// The response of the authenticator.
  var credential: JSONValue { get throws { try json.objectIfPresent("credential")?.value ?? json.value } }
}

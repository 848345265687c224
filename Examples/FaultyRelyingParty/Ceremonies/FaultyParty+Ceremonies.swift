// SPDX-License-Identifier: Apache-2.0

import COSE
import PasskeyHTTP
import SystemCrypto
import WebAuthnTypes
import WireFormats

extension FaultyParty {
  /// Begins a ceremony and returns its challenge.
  func begin(
    _ purpose: Purpose, for account: Account?, in session: Session? = nil, of request: HTTPRequest,
    action: Action? = nil
  ) throws -> Ceremony {
    let newBinding = usesCookies(request) ? try makeToken() : nil
    let ceremony = Ceremony(
      challenge: try RandomSource.system.bytes(32), purpose: purpose,
      expiry: request.receivedAt + .seconds(settings.ceremonySeconds), account: account, session: session?.id,
      binding: cookie(Self.ceremonySuffix, of: request) ?? newBinding, action: action)
    ceremonies[ceremony.challenge] = ceremony
    return ceremony
  }

  /// Finds the ceremony of a response by its challenge and deletes it, so that no other response uses it.
  func take(
    _ clientData: ClientData, for purpose: Purpose, in session: Session? = nil, of request: HTTPRequest
  ) throws -> Ceremony {
    guard var ceremony = ceremonies[[UInt8](clientData.challenge)] else {
      throw Refusal(.badRequest, "ceremony.unknown")
    }
    let staysUsable = purpose == .stepUp && faults.has("step-up.replayed-assertion")
    if !staysUsable { ceremonies[ceremony.challenge] = nil }
    if purpose == .stepUp, ceremony.purpose == .signIn, faults.has("step-up.sign-in-assertion") { return ceremony }
    if purpose == .stepUp, faults.has("step-up.other-passkey") { ceremony.account = nil }
    guard ceremony.purpose == purpose else { throw Refusal(.badRequest, "ceremony.purpose") }
    guard request.receivedAt < ceremony.expiry else { throw Refusal(.gone, "ceremony.expired") }
    guard ceremony.session == session?.id || purpose == .signIn || purpose == .registration else {
      throw Refusal(.badRequest, "ceremony.session")
    }
    guard ceremony.binding == nil || ceremony.binding == cookie(Self.ceremonySuffix, of: request) else {
      throw Refusal(.badRequest, "ceremony.binding")
    }
    return ceremony
  }

  /// Responds with options, and with the cookie that binds them to the browser.
  func options(
    _ ceremony: Ceremony, _ request: HTTPRequest, _ body: (inout JSONObjectWriter) -> Void
  ) -> HTTPResponse {
    var response = HTTPResponse.json { (options: inout JSONObjectWriter) in
      options.write("challenge", .base64URL(ceremony.challenge))
      options.write("timeout", .integer(settings.ceremonySeconds * 1000))
      options.write("expiresAt", ceremony.expiry)
      body(&options)
    }
    if let binding = ceremony.binding { setCookie(Self.ceremonySuffix, binding, request, in: &response) }
    return response
  }

  /// Returns the options of an assertion.
  func assertionOptions(
    _ ceremony: Ceremony, allowing ids: [[UInt8]], _ request: HTTPRequest,
    _ rest: (inout JSONObjectWriter) -> Void = { (_) in }
  ) -> HTTPResponse {
    options(ceremony, request) { (options) in
      rest(&options)
      options.write("rpId", Self.id)
      options.write("userVerification", "required")
      options.writeArray("allowCredentials") { (list: inout JSONArrayWriter) in Self.write(ids, to: &list) }
    }
  }

  /// Returns the options of a registration.
  func creationOptions(_ ceremony: Ceremony, of account: Account, _ request: HTTPRequest) -> HTTPResponse {
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
        user.write("displayName", account.email)
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
        selection.write("residentKey", "required")
        selection.write("requireResidentKey", true)
        selection.write("userVerification", "required")
      }
      options.write("attestation", "none")
      options.writeArray("excludeCredentials") { (list: inout JSONArrayWriter) in
        Self.write(excluded, to: &list)
      }
    }
  }

  private static func write(_ ids: [[UInt8]], to list: inout JSONArrayWriter) {
    for id in ids {
      list.writeObject { (descriptor: inout JSONObjectWriter) in
        descriptor.write("type", "public-key")
        descriptor.write("id", .base64URL(id))
      }
    }
  }
}

/// A JSON body, whose `credential` member or whose whole holds the response of an authenticator.
struct CeremonyBody {
  let json: JSONBody

  init(_ request: HTTPRequest) throws {
    json = try JSONBody(request)
  }

  /// The response of the authenticator.
  var credential: JSONValue { get throws { try json.objectIfPresent("credential")?.value ?? json.value } }
}

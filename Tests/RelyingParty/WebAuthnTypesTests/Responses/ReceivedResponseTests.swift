// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct ReceivedResponseTests {
  private static let clientData =
    #"{"type":"webauthn.get","challenge":"AAECAwQFBgcICQoLDA0ODw","origin":"https://raxx.app","crossOrigin":false}"#

  private func response(clientDataJSON: String) throws -> AuthenticationResponse {
    AuthenticationResponse(
      id: try CredentialID([1, 2, 3]), clientDataJSON: clientDataJSON.bytes, authenticatorData: [1], signature: [2])
  }

  @Test func `a received response has its client data parsed`() throws {
    let response = try response(clientDataJSON: Self.clientData)
    let received = ReceivedAuthentication(response)
    #expect(received.response == response)
    #expect(try received.clientData.get() == ClientData(parsing: Self.clientData.bytes))
  }

  @Test func `malformed client data are kept as an error for the ceremony to report`() throws {
    let received = ReceivedAuthentication(try response(clientDataJSON: "{}"))
    #expect(throws: FormatError(.clientDataMissingMember, at: 0, member: "type")) { try received.clientData.get() }
    let registration = ReceivedRegistration(
      RegistrationResponse(id: try CredentialID([1]), clientDataJSON: [], attestationObject: []))
    #expect(registration.clientData == .failure(FormatError(.clientDataMalformed, WireError(.jsonTruncated, at: 0))))
  }

  @Test func `a member of a parsed body gives the response of its text`() throws {
    let response = try response(clientDataJSON: Self.clientData)
    let body = try JSON.parse(#"{"credential":\#(response.jsonText)}"#)
    #expect(try AuthenticationResponse(json: body.require("credential")) == response)
    #expect(throws: FormatError(.authenticationResponseMissingMember, at: 0, member: "id")) {
      try AuthenticationResponse(json: body)
    }
    #expect(throws: FormatError(.registrationResponseMalformed, WireError(.jsonWrongType, at: 1))) {
      try RegistrationResponse(json: JSON.parse("[1]").array.first { _ in true } ?? body)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct RecordedResponsesTests {
  @Test func `recorded responses survive a round trip through JSON text and a coder`() throws {
    let ceremonies = try RecordedCeremony.all()
    #expect(ceremonies.count > 140)
    for ceremony in ceremonies {
      if ceremony.isRegistration {
        let response = try RegistrationResponse(json: ceremony.response)
        #expect(try decode(RegistrationResponse.self, from: ceremony.response) == response, "\(ceremony.id)")
        #expect(try RegistrationResponse(json: response.json[...]) == response, "\(ceremony.id)")
        #expect(try RegistrationResponse(json: encode(response)) == response, "\(ceremony.id)")
        #expect(try decode(RegistrationResponse.self, from: response.json[...]) == response, "\(ceremony.id)")
      } else {
        let response = try AuthenticationResponse(json: ceremony.response)
        #expect(try decode(AuthenticationResponse.self, from: ceremony.response) == response, "\(ceremony.id)")
        #expect(try AuthenticationResponse(json: response.json[...]) == response, "\(ceremony.id)")
        #expect(try AuthenticationResponse(json: encode(response)) == response, "\(ceremony.id)")
        #expect(try decode(AuthenticationResponse.self, from: response.json[...]) == response, "\(ceremony.id)")
      }
    }
  }

  @Test func `recorded client data and authenticator data parse, except two deliberately malformed cases`() throws {
    var refused: [String: FormatError.Code] = [:]
    for ceremony in try RecordedCeremony.all() {
      do throws(FormatError) {
        if ceremony.isRegistration {
          let response = try RegistrationResponse(json: ceremony.response)
          let object = try AttestationObject(parsing: response.attestationObject)
          #expect(
            object.authenticatorData.attestedCredentialData?.credentialID == response.id.bytes[...], "\(ceremony.id)")
        } else {
          _ = try AuthenticatorData(parsing: AuthenticationResponse(json: ceremony.response).authenticatorData)
        }
      } catch {
        refused[ceremony.id] = error.code
      }
    }
    let malformed: [String: FormatError.Code] = [
      "webauthn-swift/negative/extensions-are-20-zero-bytes": .authenticatorDataMalformedExtensions,
      "java-webauthn-server/none/Default-indefinite-length": .attestationObjectMalformed,
    ]
    #expect(refused == (SharedVectors.arePresent ? malformed : [:]))
  }
}

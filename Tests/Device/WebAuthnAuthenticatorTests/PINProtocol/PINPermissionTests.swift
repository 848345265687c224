// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WebAuthnAuthenticator

struct PINPermissionTests {
  @Test func `each permission has the standard's bit`() {
    #expect(PINPermission.makeCredential.rawValue == 0x01)
    #expect(PINPermission.getAssertion.rawValue == 0x02)
    #expect(PINPermission.credentialManagement.rawValue == 0x04)
    #expect(PINPermission.bioEnrollment.rawValue == 0x08)
    #expect(PINPermission.largeBlobWrite.rawValue == 0x10)
    #expect(PINPermission.authenticatorConfiguration.rawValue == 0x20)
    #expect(PINPermission.persistentReading.rawValue == 0x40)
  }

  @Test func `unknown bits are ignored`() {
    #expect(PINPermission(requested: 0x81) == .makeCredential)
    #expect(PINPermission(requested: 0x100) == [])
    #expect(PINPermission(requested: .max) == .defined)
  }
}

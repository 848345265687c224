// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Testing
import WebAuthnTypes

@Suite struct CTAPStatusTests {
  @Test func `every status byte has a unique description`() {
    let descriptions = (UInt8.min ... .max).map { CTAPStatus(rawValue: $0).description }
    #expect(Set(descriptions).count == 256)
    #expect(CTAPStatus(rawValue: 0x31).description == "CTAP2_ERR_PIN_INVALID")
    #expect(CTAPStatus(rawValue: 0xe1).description == "CTAP2_ERR_EXTENSION_1")
    #expect(CTAPStatus(rawValue: 0xff).description == "CTAP2_ERR_VENDOR_15")
  }

  @Test func `known commands have the standard's names`() {
    #expect(CTAPCommand.makeCredential.name == "makeCredential")
    #expect(CTAPCommand(rawValue: 0x0d).name == "authenticatorConfig")
    #expect(CTAPCommand(rawValue: 0x41).name == "credentialManagement")
    #expect(CTAPCommand(rawValue: 0x42).name == nil)
  }
}

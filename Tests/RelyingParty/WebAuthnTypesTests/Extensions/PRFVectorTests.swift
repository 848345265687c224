// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

/// Inputs and outputs of `prf`: our own and, where they are present, the standard's (WebAuthn, "Test Vectors", "PRF").
@Suite struct PRFVectorTests {
  enum Source: CaseIterable {
    case own, standard

    static let available = SharedVectors.arePresent ? allCases : [.own]

    var authenticationCount: Int { self == .own ? 6 : 7 }

    var examples: JSONElements {
      get throws {
        let bytes =
          try self == .own
          ? File.bytes("\(projectFolder)/Vectors/codecs/prf.json") : SharedVectors.bytes("w3c-prf.json")
        return try JSON.parse(bytes[...], maximumSize: bytes.count).require("webauthn").array
      }
    }
  }

  private static let whatever = Base64URL.encode([UInt8](repeating: 0xab, count: 32))

  @Test(arguments: Source.available)
  func `every example of inputs survives a round trip`(source: Source) throws {
    var count = 0
    for example in try source.examples {
      let inputs = try ClientExtensions(json: example.require("inputs").encoded)
      let prf = try #require(try inputs.prfInputs)
      #expect(inputs["prf"] == prf.value)
      count += 1
    }
    #expect(count == 4)
  }

  @Test(arguments: Source.available)
  func `every example of outputs survives a round trip`(source: Source) throws {
    var registrations = 0
    var authentications = 0
    for example in try source.examples {
      for member in try example.members where member.name != "inputs" && member.name != "note" {
        for output in try member.value.array {
          let text = String(decoding: output.encoded, as: UTF8.self).replacing("*", with: Self.whatever)
          let extensions = try ClientExtensions(json: text.bytes)
          if member.name == "create" {
            let outputs = try RegistrationClientOutputs(extensions)
            #expect(outputs.prf?.isEnabled != nil)
            #expect(outputs.extensions == extensions)
            registrations += 1
          } else {
            let outputs = try AuthenticationClientOutputs(extensions)
            #expect(outputs.prf?.isEnabled == nil)
            #expect(outputs.extensions == extensions)
            authentications += 1
          }
        }
      }
    }
    #expect(registrations == 5)
    #expect(authentications == source.authenticationCount)
  }
}

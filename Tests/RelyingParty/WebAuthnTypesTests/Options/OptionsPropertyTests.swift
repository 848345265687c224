// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct OptionsPropertyTests {
  private static let creation = [UInt8](
    """
    {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"AQ","name":"a","displayName":"A"},\
    "challenge":"AAECAwQFBgcICQoLDA0ODw","pubKeyCredParams":[{"type":"public-key","alg":-7}],"timeout":300000,\
    "excludeCredentials":[{"type":"public-key","id":"Bw","transports":["usb"]}],\
    "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,"userVerification":"required"},\
    "hints":["hybrid"],"attestation":"direct","attestationFormats":["tpm"],"extensions":{"credProps":true}}
    """.utf8)

  @Test func `options read from mutated text survive a round trip`() throws {
    var accepted = 0
    try PropertyRuns.check(default: 10_000) { generator in
      let text = Mutation.mutated(Self.creation, using: &generator)[...]
      do throws(FormatError) {
        let options = try CreationOptions(json: text)
        guard try CreationOptions(json: options.json[...]) == options else {
          throw FormatError(.optionsMalformed, at: -1)
        }
        accepted += 1
      } catch {
        guard (0...text.count).contains(error.offset) else { throw error }
      }
    }
    #expect(accepted > 100, "too few inputs were accepted")
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@Suite struct MetadataStatementTests {
  private static func statement(certificates: String) throws -> MetadataStatement? {
    let entry = """
      {\(MetadataForm.aaguid),"metadataStatement":{"attestationRootCertificates":[\(certificates)],"icon":"data:,",\
      "protocolFamily":"fido2","authenticatorVersion":5,"attestationTypes":["basic_full","unheard_of"],"later":[]},\
      "statusReports":[]}
      """
    return try MetadataForm(entry).verify().entries.first?.statement
  }

  @Test func `members are read, and the original text is kept`() throws {
    let statement = try #require(try Self.statement(certificates: ""))
    #expect(statement.protocolFamily == "fido2")
    #expect(statement.icon == "data:,")
    #expect(statement.authenticatorVersion == 5)
    #expect(statement.description == nil)
    #expect(statement.attestationTypes.map(\.rawValue) == ["basic_full", "unheard_of"])
    #expect(try statement.json["later"] != nil)
    #expect(statement.trustStore.anchors.isEmpty)
  }

  @Test func `certificates in deviating encodings are read`() throws {
    let (first, second) = (try TestAuthority.root("First").certificate, try TestAuthority.root("Second").certificate)
    let text = Base64.encode(first.der)
    // A leading tab, as in the real BLOB, and a line break inside.
    let untidy = "\\t" + text.prefix(40) + "\\r\\n" + text.dropFirst(40)
    #expect(try Self.statement(certificates: "\"\(untidy)\"")?.trustStore.anchors == [first])
    // Two certificates in one value, as one manufacturer publishes them.
    let both = Base64.encode([UInt8](first.der) + second.der)
    #expect(try Self.statement(certificates: "\"\(both)\",\"\(text)\"")?.trustStore.anchors == [first, second])
  }

  @Test func `an unreadable certificate does not affect the others`() throws {
    let root = try TestAuthority.root("First").certificate
    let statement = try #require(
      try Self.statement(certificates: "\"MAA=\",\"\(Base64.encode(root.der))\",\"?\",\"MAA=\""))
    #expect(statement.trustStore.anchors == [root])
    #expect(statement.unreadableCertificateCount == 3)
  }
}

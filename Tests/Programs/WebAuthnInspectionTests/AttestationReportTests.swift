// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnInspection

/// Tests the report about the attestation of a registration.
@Suite struct AttestationReportTests {
  @Test func `a hardware key of Android is printed with the claims that are proven and its description`() throws {
    #expect(
      try lines("attestation-android-key.json", "booted-as-required").dropFirst() == [
        "signed claims: publicKey, credentialId, aaguid, rpIdHash, flags, signCount, extensions, clientDataHash",
        "claims that the trust anchor vouches for: publicKey, clientDataHash",
        "Android attestation: version 300, made in trusted environment",
        "Android key: KeyMint version 300, kept in trusted environment",
        "enforced by hardware:",
        "  purposes: sign",
        "  origin: generated",
        "  verified boot: verified",
        "  bootloader: locked",
        "  verified boot key: " + String(repeating: "b0", count: 32),
        "  OS patch level: 2025-05",
        "enforced by software:",
        "  no known properties",
      ])
  }

  @Test func `the JSON has the proven claims and the description`() throws {
    let text = try json("attestation-android-key.json", "booted-as-required")
    #expect(text.contains(#""provenClaims":{"signed":["publicKey","credentialId","aaguid","rpIdHash","flags","#))
    #expect(text.contains(#""vouched":["publicKey","clientDataHash"]}"#))
    #expect(text.contains(#""attestationSecurityLevel":"trusted environment""#))
    #expect(text.contains(#""keyMintSecurityLevel":"trusted environment""#))
    #expect(
      text.contains(
        #""hardwareEnforced":{"purposes":["sign"],"origin":"generated","allApplications":false,"rootOfTrust":{"#))
    #expect(text.contains(#""deviceLocked":true,"verifiedBootState":"verified""#))
    #expect(text.contains(#""osPatchLevel":"2025-05""#))
    #expect(text.contains(#""softwareEnforced":{"purposes":[],"allApplications":false}"#))
  }

  @Test func `an unanchored attestation and self attestation vouch for nothing`() throws {
    let lines = try lines("attestation-packed.json", "self")
    #expect(lines.contains("claims that the trust anchor vouches for: nothing"))
    #expect(!lines.contains { $0.hasPrefix("Android") })
    let text = try json("attestation-packed.json", "self")
    #expect(text.contains(#""vouched":[]"#))
    #expect(!text.contains("keyDescription"))
  }

  @Test func `hardware properties of a software attestation are marked, and unknown numbers shown`() throws {
    var writer = DERWriter()
    writer.writeSequence {
      $0.writeInteger(3)
      $0.writeEnumerated(0)
      $0.writeInteger(4)
      $0.writeEnumerated(9)
      $0.writeOctetString([])
      $0.writeOctetString([])
      $0.writeSequence { $0.writeExplicit(600) { $0.writeNull() } }
      $0.writeSequence {
        $0.writeExplicit(1) { $0.writeSetOf([2, 99] as [Int64]) { $0.writeInteger($1) } }
        $0.writeExplicit(702) { $0.writeInteger(2) }
        $0.writeExplicit(705) { $0.writeInteger(140_001) }
        $0.writeExplicit(718) { $0.writeInteger(20_240_501) }
      }
    }
    #expect(
      KeyDescriptionReport.facts(of: try KeyDescription(der: writer.bytes[...])) == [
        "Android attestation: version 3, made in software",
        "Android key: KeyMint version 4, kept in level 9",
        "enforced by hardware, according to software:",
        "  purposes: sign, purpose 99",
        "  origin: imported",
        "  OS version: 14.0.1",
        "  vendor patch level: 2024-05-01",
        "enforced by software:",
        "  all applications: yes",
      ])
  }

  private func lines(_ file: String, _ name: String) throws -> [String] {
    AttestationReport.facts(of: try outcome(file, name))
  }

  private func json(_ file: String, _ name: String) throws -> String {
    let outcome = try outcome(file, name)
    return String(decoding: JSON.writeObject { AttestationReport.write(outcome, into: &$0) }, as: UTF8.self)
  }

  private func outcome(_ file: String, _ name: String) throws -> AttestationOutcome {
    let bytes = try File.bytes("\(projectFolder)/Vectors/\(file)")
    let id = "\(file.dropLast(".json".count))/\(name)"
    let recorded = try #require(try CaseFile.cases(in: bytes[...]).first { $0.id == id })
    guard case .registered(let result) = CaseVerdict(of: recorded, now: UnixTime(secondsSince1970: 0)).outcome else {
      throw RefusedCase(id: id)
    }
    return result.attestation
  }

  private struct RefusedCase: Error {
    let id: String
  }
}

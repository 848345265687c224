// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats

extension ExampleArtifacts {
  /// Metadata about the example's own model and two more, signed with the attestation key: `certificate.pem` is the root.
  func metadata() throws -> [UInt8] {
    let certificate = try certificate()
    let header = JSON.writeObject {
      $0.write("alg", "ES256")
      $0.write("typ", "JWT")
      $0.writeArray("x5c") { $0.write(.base64(certificate)) }
    }
    let signed = "\(Base64URL.encode(header)).\(Base64URL.encode(Self.payload(certificate)))"
    let numbers = try ECDSASignature(der: try attestationKey.sign([UInt8](signed.utf8)[...], .deterministic)[...])
    let signature = [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
    return [UInt8]("\(signed).\(Base64URL.encode(signature))\n".utf8)
  }

  private static func payload(_ certificate: [UInt8]) -> [UInt8] {
    JSON.writeObject {
      $0.write("legalHeader", "an example without legal effect")
      $0.write("no", 7)
      $0.write("nextUpdate", "2040-01-01")
      $0.writeArray("entries") { entries in
        entries.writeObject { entry in
          entry.write("aaguid", "706173736b65-is-not-one")
          entry.writeArray("statusReports") { _ in }
        }
        entries.writeObject { entry in
          entry.write("aaguid", "70617373-6b65-792d-6578-616d706c6573")
          write("Passkey Examples Batch 1", "fido2", [certificate], into: &entry)
          writeReports([("FIDO_CERTIFIED_L1", "2025-01-01")], into: &entry)
        }
        entries.writeObject { entry in
          entry.writeArray("attestationCertificateKeyIdentifiers") {
            $0.write("00112233445566778899aabbccddeeff00112233")
          }
          write("Passkey Examples U2F", "u2f", [certificate], into: &entry)
          writeReports([("REVOKED", "2025-06-01"), ("NOT_FIDO_CERTIFIED", "2025-01-01")], into: &entry)
        }
        entries.writeObject { entry in
          entry.write("aaid", "4711#0001")
          writeReports([("SELF_ASSERTION_SUBMITTED", "2039-01-01")], into: &entry)
        }
      }
    }
  }

  private static func write(
    _ name: String, _ family: String, _ roots: [[UInt8]], into entry: inout JSONObjectWriter
  ) {
    entry.writeObject("metadataStatement") { statement in
      statement.write("description", .string(name))
      statement.write("protocolFamily", .string(family))
      statement.write("authenticatorVersion", 2)
      statement.writeArray("attestationTypes") { $0.write("basic_full") }
      statement.writeArray("attestationRootCertificates") { list in
        for root in roots { list.write(.base64(root)) }
      }
    }
  }

  private static func writeReports(_ reports: [(status: String, date: String)], into entry: inout JSONObjectWriter) {
    entry.writeArray("statusReports") { list in
      for report in reports {
        list.writeObject {
          $0.write("status", .string(report.status))
          $0.write("effectiveDate", .string(report.date))
        }
      }
    }
  }
}

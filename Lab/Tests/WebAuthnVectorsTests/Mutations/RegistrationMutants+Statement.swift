// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

extension RegistrationMutants {
  // MARK: The credential's key and id

  func credential() throws -> [RegistrationMutant] {
    let (_, place) = try original.layout
    let data = original.authenticatorData
    let keys = try KeyFault.all(of: data[place]).map { fault in
      let expected: Verdict =
        switch fault.refusal {
        case nil: covered(.flagsCounterOrExtensions)
        // Malformed CBOR is detected when the authenticator data are parsed.
        case .shape("cose.malformed-cbor")?: .refused(.registrationAttestationObjectMalformed, step: 13)
        case .shape(let cause)?: .refused(.registrationKeyMalformed, step: 20, cause: cause)
        case .point?: .refused(.registrationKeyMalformed, step: 20, cause: "crypto.invalid-key")
        }
      return Mutant("credential key: \(fault.name)", original, expected) {
        $0.authenticatorData.replaceSubrange(place, with: fault.encoded)
      }
    }
    let id = try Mutant("response: another credential", original, .refused(.registrationCredentialIDMismatch, step: 13))
    {
      $0.id = try CredentialID([UInt8]($0.id.bytes.dropLast()) + [$0.id.bytes.last.map { ~$0 } ?? 0])
    }
    return keys + [id]
  }

  // MARK: The statement

  func statements() throws -> [RegistrationMutant] {
    // Only the statement of compound is an array. In other formats, an array makes the attestation object malformed.
    let unknown: Verdict =
      original.format == "compound"
      ? .refused(.registrationAttestationObjectMalformed, step: 13, cause: "attestation-object.invalid-member")
      : .refused(.registrationFormatUnknown, step: 21)
    var mutants = [
      Mutant("statement: of an unknown format", original, unknown) { $0.format = "unknown-format" },
      Mutant("statement: of a format in upper case", original, unknown) { $0.format = original.format.uppercased() },
    ]
    switch AttestationFormat(rawValue: original.format) {
    case .none: mutants.append(mutant("not empty", .statementNotEmpty) { $0.statement = ["alg": -7] })
    case .compound: mutants.append(mutant("empty", .compoundMemberCount) { $0.statement = [] })
    default:
      mutants.append(mutant("empty", .malformedStatement) { $0.statement = [:] })
      let isNoneAcceptable = positive.policy.attestation.acceptableFormats?.contains(.none) ?? true
      mutants.append(
        mutant("of the format none", isNoneAcceptable ? .statementNotEmpty : .formatNotAcceptable) {
          $0.format = "none"
        })
    }
    if original.member("alg") != nil, original.format != "apple" { mutants += algorithms() }
    if let signature = original.bytes("sig") { mutants += try signatures(signature) }
    if !original.certificates.isEmpty { mutants += certificates() }
    if original.format == "tpm" { mutants += tpm() }
    return mutants
  }

  private func mutant(
    _ name: String, _ code: AttestationError.Code, _ corrupt: (inout RegistrationAttempt) -> Void
  ) -> RegistrationMutant {
    Mutant(
      "statement: \(name)", original,
      .refused(.registrationAttestationInvalid, step: 22, cause: code.rawValue), corrupt)
  }

  private func algorithms() -> [RegistrationMutant] {
    // Self attestation compares alg with the credential key (§8.2 step 3), every other statement with the certificate's key.
    let other: AttestationError.Code = original.format == "tpm" ? .unsupportedAlgorithm : .algorithmMismatch
    let isEd448 = signatureAlgorithm == .ed448
    return [
      mutant("no alg", .malformedStatement) { $0.setStatement("alg", nil) },
      mutant("alg of text", .malformedStatement) { $0.setStatement("alg", "ES256") },
      mutant("the algorithm of another curve", other) { $0.setStatement("alg", isEd448 ? -35 : -53) },
    ]
  }

  private func signatures(_ signature: [UInt8]) throws -> [RegistrationMutant] {
    // Only the signature changed, so other checks before it pass.
    let key: COSEKey =
      if let leaf = original.certificates.first {
        try COSEKey(
          subjectPublicKeyInfo: X509Certificate(der: leaf[...]).subjectPublicKeyInfo.encoded,
          algorithm: signatureAlgorithm)
      } else {
        try COSEKey(parsing: original.authenticatorData[original.layout.credentialPublicKey])
      }
    let faults = SignatureFault.all(of: signature, by: key).map { fault in
      let expected: Verdict =
        fault.isValid
        ? .verified
        : .refused(
          .registrationAttestationInvalid, step: 22, cause: AttestationError.Code.invalidSignature.rawValue)
      return Mutant("statement: signature: \(fault.name)", original, expected) {
        $0.setStatement("sig", .bytes(fault.signature))
      }
    }
    return faults + [
      mutant("no signature", .malformedStatement) { $0.setStatement("sig", nil) },
      mutant("a signature of text", .malformedStatement) { $0.setStatement("sig", "signature") },
    ]
  }

  private var signatureAlgorithm: COSEAlgorithm {
    switch original.member("alg") {
    case .negative(let number)?: COSEAlgorithm(rawValue: -1 - Int64(number))
    default: .es256
    }
  }

  private func certificates() -> [RegistrationMutant] {
    let chain = original.certificates
    let leaf = chain.first ?? []
    var mutants = [
      mutant("x5c empty", .malformedStatement) { $0.certificates = [] },
      mutant("x5c of text", .malformedStatement) { $0.setStatement("x5c", "certificates") },
      mutant("seventeen certificates", .certificateCount) {
        $0.certificates = [[UInt8]](repeating: leaf, count: 17)
      },
      mutant("a truncated certificate", .malformedCertificate) { $0.certificates[0].removeLast() },
      mutant("a byte after the certificate", .malformedCertificate) { $0.certificates[0].append(0) },
      mutant("an empty certificate", .malformedCertificate) { $0.certificates[0] = [] },
      mutant("an empty second certificate", .malformedCertificate) { $0.certificates.append([]) },
    ]
    if original.format != "packed" {
      mutants.append(mutant("no certificates", .malformedStatement) { $0.setStatement("x5c", nil) })
    }
    if original.format == "fido-u2f" {
      mutants.append(mutant("two certificates", .certificateCount) { $0.certificates.append(leaf) })
    }
    return mutants
  }

  private func tpm() -> [RegistrationMutant] {
    [
      mutant("version 1.2", .tpmVersion) { $0.setStatement("ver", "1.2") },
      mutant("no certInfo", .malformedStatement) { $0.setStatement("certInfo", nil) },
      mutant("no pubArea", .malformedStatement) { $0.setStatement("pubArea", nil) },
      mutant("pubArea empty", .tpmMalformedPublicArea) { $0.setStatement("pubArea", .bytes([])) },
      mutant("pubArea truncated", .tpmMalformedPublicArea) {
        $0.setStatement("pubArea", .bytes([UInt8]((original.bytes("pubArea") ?? []).dropLast())))
      },
      mutant("pubArea and a byte", .tpmMalformedPublicArea) {
        $0.setStatement("pubArea", .bytes((original.bytes("pubArea") ?? []) + [0]))
      },
      mutant("another key in pubArea", .publicKeyMismatch) {
        var area = original.bytes("pubArea") ?? []
        area[area.count - 1] ^= 2
        $0.setStatement("pubArea", .bytes(area))
      },
      // The signature covers all of certInfo, and is verified before its content.
      mutant("certInfo changed", .invalidSignature) {
        var info = original.bytes("certInfo") ?? []
        info[info.count - 1] ^= 1
        $0.setStatement("certInfo", .bytes(info))
      },
    ]
  }
}

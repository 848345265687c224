// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
package import PasskeyTesting
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

// Faults in an attestation certificate with a valid signature (WebAuthn §8.2.1, §8.3.1, §8.4.1).

extension Fault {
  private static let certificate = FaultStage<CertificateMaker>()

  static let certificateOfVersion1 = certificate("the certificate is of version 1") { (draft) in
    draft.version = 1
    draft.extensions = []
  }
  static let certificateOfAnAuthority = certificate("the certificate is a CA certificate") {
    $0.replace(.basicConstraints(isAuthority: true))
  }
  static let certificateWithoutCountry = certificateWithout(.countryName, "country")
  static let certificateWithoutOrganization = certificateWithout(.organizationName, "organization")
  static let certificateWithoutCommonName = certificateWithout(.commonName, "common name")
  static let certificateWithLongCountry = certificateWith(
    .countryName, "SWE", "the certificate's country has three letters")
  static let certificateOfAnotherUnit = certificateWith(
    .organizationalUnitName, "Authenticators", "the certificate's unit is not \"Authenticator Attestation\"")

  // MARK: Dates, names and keys

  static let certificateExpired = certificate("the certificate has expired") {
    $0.validity = $0.validity.lowerBound...($0.validity.lowerBound + .seconds(86_400))
  }
  static let certificateNotYetValid = certificate("the certificate is not valid yet") {
    $0.validity = ($0.validity.upperBound - .seconds(86_400))...$0.validity.upperBound
  }
  static let certificateOfAnotherIssuer = certificate("the certificate names another issuer") {
    $0.issuer = CertificateName(.init(.commonName, "Another issuer"))
  }
  static let certificateWithUnknownCriticalExtension = certificate("the certificate has an unknown critical extension")
  { (draft) in
    draft.extensions.append(.making([1, 3, 6, 1, 4, 1, 99999, 1], isCritical: true) { $0.writeNull() })
  }
  static let certificateExtensionTwice = certificate("an extension of the certificate occurs twice") {
    $0.extensions += $0.extensions.prefix(1)
  }
  package static let certificateForAnotherKey = certificate("the certificate is for another key") {
    (draft) throws(PasskeyCryptoError) in
    draft.publicKey = try SigningKey.another(draft.publicKey.algorithm).publicKey
  }

  package static let certificateOnAnotherCurve = certificate("the certificate is for a key on another curve") {
    (draft) throws(PasskeyCryptoError) in
    draft.publicKey = try SigningKey.another(.es384).publicKey
  }

  // MARK: The model

  package static let modelOfAnother = certificate("the certificate has the AAGUID of another model") {
    $0.replace(.authenticatorModel(.zero))
  }
  static let modelCritical = certificate("the extension with the AAGUID is critical") { (draft) in
    guard let model = draft.extensions.first(where: { $0.identifier == .model }) else { return }
    draft.replace(CertificateExtension(.model, isCritical: true, value: model.value))
  }
  static let modelNotWrapped = certificate("the AAGUID in the extension is not wrapped in an OCTET STRING") { (draft) in
    guard let model = draft.extensions.first(where: { $0.identifier == .model }) else { return }
    draft.replace(CertificateExtension(.model, value: model.value.dropFirst(2)))
  }
  static let modelTooShort = certificate("the AAGUID in the extension has 15 bytes") { (draft) in
    draft.replace(.making(.model) { $0.writeOctetString([UInt8](repeating: 1, count: 15)[...]) })
  }

  static let firmwareVersionCritical = certificate("the extension with the firmware version is critical") { (draft) in
    draft.extensions.append(.making(.firmwareVersion, isCritical: true) { $0.writeInteger(42) })
  }
  static let firmwareVersionNegative = certificate("the firmware version is negative") { (draft) in
    draft.extensions.append(.making(.firmwareVersion) { $0.writeInteger(-1) })
  }
  static let serialNumberCritical = certificate("the extension with the enterprise serial number is critical") {
    (draft) in
    draft.extensions.append(.making(.enterpriseSerialNumber, isCritical: true) { $0.writeOctetString([1, 2, 3]) })
  }
  static let serialNumberNotWrapped = certificate("the enterprise serial number is not an OCTET STRING") {
    $0.extensions.append(CertificateExtension(.enterpriseSerialNumber, value: [1, 2, 3]))
  }

  // MARK: Certificates for another use

  static let basicConstraintsMissing = certificateWithoutExtension(
    .basicConstraints, "the certificate has no basic constraints")
  static let certificateOfAndroidKeyStore = certificate(
    "the certificate has the extension of an Android key attestation"
  ) { (draft) in
    draft.extensions.append(.making(.androidKeyDescription) { $0.writeNull() })
  }
  static let certificateOfApple = certificate("the certificate has the extension of an Apple attestation") {
    $0.extensions.append(.appleNonce([UInt8](repeating: 1, count: 32)))
  }
  static let certificateOfAWebServer = certificateFor([1, 3, 6, 1, 5, 5, 7, 3, 1], "web servers")
  static let certificateOfAWebClient = certificateFor([1, 3, 6, 1, 5, 5, 7, 3, 2], "TLS clients")
  static let certificateOfMail = certificateFor([1, 3, 6, 1, 5, 5, 7, 3, 4], "email protection")
  static let certificateOfATPM = certificateFor([2, 23, 133, 8, 3], "TPM attestation keys")

  private static func certificateFor(_ purpose: DERObjectIdentifier, _ word: String) -> Fault {
    certificate("the extended key usage is for \(word)") { $0.extensions.append(.extendedKeyUsage([purpose])) }
  }

  // MARK: Requirements of single formats

  package static let hostOfAnother = certificate("the certificate is for another host") {
    $0.replace(.subjectAlternativeName(hosts: ["attest.android.com.example", "android.com"]))
  }
  package static let subjectNotEmpty = certificate("the subject of the certificate is not empty") {
    $0.subject = CertificateName(.init(.commonName, "TPM"))
  }
  static let purposeMissing = certificateWithoutExtension(
    .extendedKeyUsage, "the certificate has no extended key usage")
  static let purposeOfAnother = certificate("the extended key usage is for web servers") {
    $0.replace(.extendedKeyUsage([[1, 3, 6, 1, 5, 5, 7, 3, 1]]))
  }
  static let alternativeNameMissing = certificateWithoutExtension(
    .subjectAlternativeName, "the certificate has no subject alternative name")
  static let alternativeNameOfAHost = certificate("the subject alternative name has a host and no TPM") {
    $0.replace(.subjectAlternativeName(hosts: ["tpm.example"]))
  }
  static let alternativeNameWithoutMaker = certificate("the TPM manufacturer is not a vendor ID") {
    $0.replace(.trustedPlatformModule(manufacturer: "TPM makers", model: "1", version: "id:1"))
  }
  static let alternativeNameMalformed = certificate("the subject alternative name is not DER") {
    $0.replace(CertificateExtension(.subjectAlternativeName, isCritical: true, value: [0x30, 0x05, 0x00]))
  }
  static let nonceMissing = certificateWithoutExtension(.appleNonce, "the certificate has no nonce")
  static let nonceNotWrapped = certificate("the nonce extension has an unexpected structure") { (draft) in
    draft.replace(.making(.appleNonce) { $0.writeOctetString([UInt8](repeating: 1, count: 32)[...]) })
  }
  static let keyDescriptionMissing = certificateWithoutExtension(
    .androidKeyDescription, "the certificate has no key description")
  static let keyDescriptionMalformed = certificate("the key description is not a sequence") { (draft) in
    draft.replace(.making(.androidKeyDescription) { $0.writeNull() })
  }

  private static func certificateWithout(_ type: DERObjectIdentifier, _ word: String) -> Fault {
    certificate("the certificate's subject has no \(word)") { (draft) in
      draft.subject.relativeNames.removeAll { $0.contains { $0.type == type } }
    }
  }

  private static func certificateWith(_ type: DERObjectIdentifier, _ text: String, _ name: String) -> Fault {
    certificate(name) { (draft) in
      draft.subject.relativeNames = draft.subject.relativeNames.map { (attributes) in
        attributes.map { $0.type == type ? .init(type, text) : $0 }
      }
    }
  }

  private static func certificateWithoutExtension(_ identifier: DERObjectIdentifier, _ name: String) -> Fault {
    certificate(name) { (draft) in
      draft.extensions.removeAll { $0.identifier == identifier }
    }
  }
}

extension CertificateMaker {
  /// Replaces the extension with the same identifier.
  fileprivate mutating func replace(_ other: CertificateExtension) {
    extensions = extensions.map { $0.identifier == other.identifier ? other : $0 }
  }
}

extension DERObjectIdentifier {
  fileprivate static let model = CertificateExtension.authenticatorModel(.zero).identifier
  fileprivate static let appleNonce = CertificateExtension.appleNonce([]).identifier
  fileprivate static let firmwareVersion: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]
  fileprivate static let enterpriseSerialNumber: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]
  fileprivate static let androidKeyDescription: Self = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
}

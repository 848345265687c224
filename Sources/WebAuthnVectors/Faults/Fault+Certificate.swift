// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WebAuthnTypes
internal import WireFormats

// What can be wrong with an attestation certificate that is signed rightly (WebAuthn §8.2.1, §8.3.1, §8.4.1).

extension Fault {
  static let certificateOfVersion1 = Fault("the certificate is of version 1") { (draft: inout CertificateMaker) in
    draft.version = 1
    draft.extensions = []
  }
  static let certificateOfAnAuthority = Fault("the certificate is an authority's") { (draft: inout CertificateMaker) in
    draft.replace(.basicConstraints(isAuthority: true))
  }
  static let certificateWithoutCountry = certificateWithout(.countryName, "country")
  static let certificateWithoutOrganization = certificateWithout(.organizationName, "organization")
  static let certificateWithoutCommonName = certificateWithout(.commonName, "common name")
  static let certificateWithLongCountry = certificateWith(
    .countryName, "SWE", "the certificate's country has three letters")
  static let certificateOfAnotherUnit = certificateWith(
    .organizationalUnitName, "Authenticators", "the certificate's unit is not \"Authenticator Attestation\"")

  // MARK: Dates, names and keys

  static let certificateExpired = Fault("the certificate has expired") { (draft: inout CertificateMaker) in
    draft.validity = draft.validity.lowerBound...(draft.validity.lowerBound + .seconds(86_400))
  }
  static let certificateNotYetValid = Fault("the certificate is not valid yet") { (draft: inout CertificateMaker) in
    draft.validity = (draft.validity.upperBound - .seconds(86_400))...draft.validity.upperBound
  }
  static let certificateOfAnotherIssuer = Fault("the certificate names another issuer") {
    (draft: inout CertificateMaker) in draft.issuer = CertificateName(.init(.commonName, "Somebody else"))
  }
  static let certificateWithUnknownCriticalExtension = Fault("the certificate has an unknown critical extension") {
    (draft: inout CertificateMaker) in
    draft.extensions.append(.making([1, 3, 6, 1, 4, 1, 99999, 1], isCritical: true) { $0.writeNull() })
  }
  static let certificateExtensionTwice = Fault("the certificate has an extension twice") {
    (draft: inout CertificateMaker) in draft.extensions += draft.extensions.prefix(1)
  }
  static let certificateForAnotherKey = Fault("the certificate is about another key") {
    (draft: inout CertificateMaker) throws(CryptoError) in
    draft.publicKey = try SigningKey.another(draft.publicKey.algorithm).publicKey
  }

  static let certificateOnAnotherCurve = Fault("the certificate is about a key on another curve") {
    (draft: inout CertificateMaker) throws(CryptoError) in
    draft.publicKey = try SigningKey.another(.es384).publicKey
  }

  // MARK: The model

  static let modelOfAnother = Fault("the certificate names another model") { (draft: inout CertificateMaker) in
    draft.replace(.authenticatorModel(.zero))
  }
  static let modelCritical = Fault("the extension with the model is critical") { (draft: inout CertificateMaker) in
    guard let model = draft.extensions.first(where: { $0.identifier == .model }) else { return }
    draft.replace(CertificateExtension(.model, isCritical: true, value: model.value))
  }
  static let modelNotWrapped = Fault("the model stands in its extension without an OCTET STRING of its own") {
    (draft: inout CertificateMaker) in
    guard let model = draft.extensions.first(where: { $0.identifier == .model }) else { return }
    draft.replace(CertificateExtension(.model, value: model.value.dropFirst(2)))
  }
  static let modelTooShort = Fault("the model has 15 bytes") { (draft: inout CertificateMaker) in
    draft.replace(.making(.model) { $0.writeOctetString([UInt8](repeating: 1, count: 15)[...]) })
  }

  static let firmwareVersionCritical = Fault("the extension with the firmware version is critical") {
    (draft: inout CertificateMaker) in
    draft.extensions.append(.making(.firmwareVersion, isCritical: true) { $0.writeInteger(42) })
  }
  static let firmwareVersionNegative = Fault("the firmware version is negative") { (draft: inout CertificateMaker) in
    draft.extensions.append(.making(.firmwareVersion) { $0.writeInteger(-1) })
  }
  static let serialNumberCritical = Fault("the extension with the enterprise serial number is critical") {
    (draft: inout CertificateMaker) in
    draft.extensions.append(.making(.enterpriseSerialNumber, isCritical: true) { $0.writeOctetString([1, 2, 3]) })
  }
  static let serialNumberNotWrapped = Fault("the enterprise serial number is not an OCTET STRING") {
    (draft: inout CertificateMaker) in
    draft.extensions.append(CertificateExtension(.enterpriseSerialNumber, value: [1, 2, 3]))
  }

  // MARK: Certificates of something else

  static let basicConstraintsMissing = certificateWithoutExtension(
    .basicConstraints, "the certificate has no basic constraints")
  static let certificateOfAndroidKeyStore = Fault("the certificate is one of Android's key store") {
    (draft: inout CertificateMaker) in draft.extensions.append(.making(.androidKeyDescription) { $0.writeNull() })
  }
  static let certificateOfApple = Fault("the certificate is one of Apple's attestation authority") {
    (draft: inout CertificateMaker) in
    draft.extensions.append(.appleNonce([UInt8](repeating: 1, count: 32)))
  }
  static let certificateOfAWebServer = certificateFor([1, 3, 6, 1, 5, 5, 7, 3, 1], "web servers")
  static let certificateOfAWebClient = certificateFor([1, 3, 6, 1, 5, 5, 7, 3, 2], "clients of web servers")
  static let certificateOfMail = certificateFor([1, 3, 6, 1, 5, 5, 7, 3, 4], "mail")
  static let certificateOfATPM = certificateFor([2, 23, 133, 8, 3], "a TPM's attestation key")

  private static func certificateFor(_ purpose: ObjectIdentifier, _ word: String) -> Fault {
    Fault("the certificate is for \(word)") { (draft: inout CertificateMaker) in
      draft.extensions.append(.extendedKeyUsage([purpose]))
    }
  }

  // MARK: What formats want besides

  static let hostOfAnother = Fault("the certificate is another host's") { (draft: inout CertificateMaker) in
    draft.replace(.subjectAlternativeName(hosts: ["attest.android.com.example", "android.com"]))
  }
  static let subjectNotEmpty = Fault("the certificate of the TPM's key has a subject") {
    (draft: inout CertificateMaker) in draft.subject = CertificateName(.init(.commonName, "TPM"))
  }
  static let purposeMissing = certificateWithoutExtension(
    .extendedKeyUsage, "the certificate does not say that it is a TPM's attestation key's")
  static let purposeOfAnother = Fault("the certificate is for web servers") { (draft: inout CertificateMaker) in
    draft.replace(.extendedKeyUsage([[1, 3, 6, 1, 5, 5, 7, 3, 1]]))
  }
  static let alternativeNameMissing = certificateWithoutExtension(
    .subjectAlternativeName, "the certificate does not name the TPM")
  static let alternativeNameOfAHost = Fault("the certificate names a host and no TPM") {
    (draft: inout CertificateMaker) in draft.replace(.subjectAlternativeName(hosts: ["tpm.example"]))
  }
  static let alternativeNameWithoutMaker = Fault("the TPM's maker is not named by its number") {
    (draft: inout CertificateMaker) in
    draft.replace(.trustedPlatformModule(manufacturer: "TPM makers", model: "1", version: "id:1"))
  }
  static let alternativeNameMalformed = Fault("the name of the TPM is no DER") { (draft: inout CertificateMaker) in
    draft.replace(CertificateExtension(.subjectAlternativeName, isCritical: true, value: [0x30, 0x05, 0x00]))
  }
  static let nonceMissing = certificateWithoutExtension(.appleNonce, "the certificate has no nonce")
  static let nonceNotWrapped = Fault("the nonce is not where it should be in its extension") {
    (draft: inout CertificateMaker) in
    draft.replace(.making(.appleNonce) { $0.writeOctetString([UInt8](repeating: 1, count: 32)[...]) })
  }
  static let keyDescriptionMissing = certificateWithoutExtension(
    .androidKeyDescription, "the certificate does not describe the key")
  static let keyDescriptionMalformed = Fault("the description of the key is no sequence") {
    (draft: inout CertificateMaker) in draft.replace(.making(.androidKeyDescription) { $0.writeNull() })
  }

  private static func certificateWithout(_ type: ObjectIdentifier, _ word: String) -> Fault {
    Fault("the certificate's subject has no \(word)") { (draft: inout CertificateMaker) in
      draft.subject.relativeNames.removeAll { $0.contains { $0.type == type } }
    }
  }

  private static func certificateWith(_ type: ObjectIdentifier, _ text: String, _ name: String) -> Fault {
    Fault(name) { (draft: inout CertificateMaker) in
      draft.subject.relativeNames = draft.subject.relativeNames.map { (attributes) in
        attributes.map { $0.type == type ? .init(type, text) : $0 }
      }
    }
  }

  private static func certificateWithoutExtension(_ identifier: ObjectIdentifier, _ name: String) -> Fault {
    Fault(name) { (draft: inout CertificateMaker) in
      draft.extensions.removeAll { $0.identifier == identifier }
    }
  }
}

extension CertificateMaker {
  /// Puts an extension in the place of the one of its kind.
  fileprivate mutating func replace(_ other: CertificateExtension) {
    extensions = extensions.map { $0.identifier == other.identifier ? other : $0 }
  }
}

extension ObjectIdentifier {
  fileprivate static let model = CertificateExtension.authenticatorModel(.zero).identifier
  fileprivate static let appleNonce = CertificateExtension.appleNonce([]).identifier
  fileprivate static let firmwareVersion: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 5]
  fileprivate static let enterpriseSerialNumber: Self = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]
  fileprivate static let androidKeyDescription: Self = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]
}

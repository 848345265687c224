// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import WebAuthnTypes
public import WireFormats

extension AuthenticatorInfo {
  /// Reads a reply as a client does. Members that are not known are passed over.
  public init(parsing bytes: Bytes) throws(FormatError) {
    let reply = try CommandReply(parsing: bytes)
    let model = try reply.require(0x03, reply.bytes)
    guard let aaguid = AAGUID(model) else {
      throw FormatError(.commandReplyInvalidMember, at: model.startIndex, member: "3")
    }
    self.init(versions: try reply.require(0x01, reply.texts), aaguid: aaguid)
    extensions = try reply.texts(0x02) ?? []
    options = try reply.dictionary(0x04) { (value) throws(WireError) in try value.bool } ?? [:]
    maximumMessageByteCount = try reply.unsigned(0x05)
    pinUVAuthProtocols = try reply.numbers(0x06) ?? []
    maximumCredentialCountInList = try reply.unsigned(0x07)
    maximumCredentialIDByteCount = try reply.unsigned(0x08)
    transports = try reply.texts(0x09)?.map { AuthenticatorTransport(rawValue: $0) } ?? []
    for parameters in try reply.maps(0x0a) ?? [] {
      algorithms.append(
        CredentialParameters(
          type: CredentialType(rawValue: try parameters.require("type", parameters.text)),
          algorithm: COSEAlgorithm(rawValue: try parameters.require("alg", parameters.integer))))
    }
    maximumLargeBlobArrayByteCount = try reply.unsigned(0x0b)
    forcesPINChange = try reply.bool(0x0c)
    minimumPINLength = try reply.unsigned(0x0d)
    firmwareVersion = try reply.unsigned(0x0e)
    maximumCredentialBlobByteCount = try reply.unsigned(0x0f)
    maximumMinimumPINLengthReaderCount = try reply.unsigned(0x10)
    preferredUserVerificationAttempts = try reply.unsigned(0x11)
    userVerificationModality = try reply.unsigned(0x12)
    certifications = try reply.dictionary(0x13) { (value) throws(WireError) in try value.unsigned } ?? [:]
    remainingDiscoverableCredentialCount = try reply.unsigned(0x14)
    vendorConfigurationCommands = try reply.numbers(0x15)
    attestationFormats = try reply.texts(0x16)?.map { AttestationFormat(rawValue: $0) } ?? []
    userVerificationCountSincePIN = try reply.unsigned(0x17)
    needsLongTouchForReset = try reply.bool(0x18)
    encryptedIdentifier = try reply.bytes(0x19)
    transportsForReset = try reply.texts(0x1a)?.map { AuthenticatorTransport(rawValue: $0) }
    enforcesPINComplexity = try reply.bool(0x1b)
    pinComplexityPolicyURL = try reply.bytes(0x1c)
    maximumPINLength = try reply.unsigned(0x1d)
    encryptedCredentialStoreState = try reply.bytes(0x1e)
    configurationCommands = try reply.numbers(0x1f)
  }
}

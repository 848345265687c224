// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

extension AuthenticatorInfo {
  /// The reply as it is sent. Lists and maps without anything in them are left out.
  public var encoded: [UInt8] {
    var tree: [CBORKey: CBORTree] = [0x01: .texts(versions), 0x03: .bytes(aaguid.bytes)]
    if !extensions.isEmpty { tree[0x02] = .texts(extensions) }
    if !options.isEmpty { tree[0x04] = .map(.init(options.map { (.text($0), .bool($1)) }) { first, _ in first }) }
    tree[0x05] = maximumMessageByteCount.map { .unsigned($0) }
    if !pinUVAuthProtocols.isEmpty { tree[0x06] = .numbers(pinUVAuthProtocols) }
    tree[0x07] = maximumCredentialCountInList.map { .unsigned($0) }
    tree[0x08] = maximumCredentialIDByteCount.map { .unsigned($0) }
    if !transports.isEmpty { tree[0x09] = .texts(transports.map(\.rawValue)) }
    if !algorithms.isEmpty { tree[0x0a] = .array(algorithms.map(\.tree)) }
    tree[0x0b] = maximumLargeBlobArrayByteCount.map { .unsigned($0) }
    tree[0x0c] = forcesPINChange.map { .bool($0) }
    tree[0x0d] = minimumPINLength.map { .unsigned($0) }
    tree[0x0e] = firmwareVersion.map { .unsigned($0) }
    tree[0x0f] = maximumCredentialBlobByteCount.map { .unsigned($0) }
    tree[0x10] = maximumMinimumPINLengthReaderCount.map { .unsigned($0) }
    tree[0x11] = preferredUserVerificationAttempts.map { .unsigned($0) }
    tree[0x12] = userVerificationModality.map { .unsigned($0) }
    if !certifications.isEmpty {
      tree[0x13] = .map(.init(certifications.map { (.text($0), .unsigned($1)) }) { first, _ in first })
    }
    tree[0x14] = remainingDiscoverableCredentialCount.map { .unsigned($0) }
    tree[0x15] = vendorConfigurationCommands.map { .numbers($0) }
    if !attestationFormats.isEmpty { tree[0x16] = .texts(attestationFormats.map(\.rawValue)) }
    tree[0x17] = userVerificationCountSincePIN.map { .unsigned($0) }
    tree[0x18] = needsLongTouchForReset.map { .bool($0) }
    tree[0x19] = encryptedIdentifier.map { .bytes([UInt8]($0)) }
    tree[0x1a] = transportsForReset.map { .texts($0.map(\.rawValue)) }
    tree[0x1b] = enforcesPINComplexity.map { .bool($0) }
    tree[0x1c] = pinComplexityPolicyURL.map { .bytes([UInt8]($0)) }
    tree[0x1d] = maximumPINLength.map { .unsigned($0) }
    tree[0x1e] = encryptedCredentialStoreState.map { .bytes([UInt8]($0)) }
    tree[0x1f] = configurationCommands.map { .numbers($0) }
    return CBORWriter.bytes(of: .map(tree))
  }
}

extension CBORTree {
  fileprivate static func texts(_ texts: [String]) -> Self { .array(texts.map { .text($0) }) }
  fileprivate static func numbers(_ numbers: [UInt64]) -> Self { .array(numbers.map { .unsigned($0) }) }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// authenticatorLargeBlobs (CTAP 2.3 §6.10): a byte store whose contents are opaque to the device. Its last 16 bytes are
// the truncated SHA-256 of the others. Reading needs no authorization.
extension SoftwareAuthenticator {
  /// Reads or writes a fragment (§6.10.2). Reading does not affect an unfinished write.
  func largeBlobs(_ encoded: Bytes) throws(CTAPError) -> [UInt8] {
    let parameters = try CommandParameters(parsing: encoded)
    let get = try parameters.unsignedIfPresent(LargeBlobsKey.get)
    let set = try parameters.bytesIfPresent(LargeBlobsKey.set)
    // 1. The offset is present.
    guard let offset = try parameters.unsignedIfPresent(LargeBlobsKey.offset) else {
      throw CTAPError(.invalidParameter, "no offset")
    }
    switch (get, set) {
    // 2, 3. Exactly one of get and set is present.
    case (nil, nil), (.some, .some): throw CTAPError(.invalidParameter, "exactly one of get and set is required")
    // 4. Read,
    case (let count?, nil): return try readLargeBlobs(count, at: offset, parameters)
    // 5. or write.
    case (nil, let fragment?):
      let writing = session.sequences.largeBlobs
      // A rejected fragment ends the sequence.
      session.sequences.largeBlobs = nil
      return try writeLargeBlobs(LargeBlobsFragment(fragment, at: offset, parameters), continuing: writing)
    }
  }

  private func readLargeBlobs(
    _ count: UInt64, at offset: UInt64, _ parameters: CommandParameters
  ) throws(CTAPError) -> [UInt8] {
    // 4.1, 4.2. Neither a length nor a pinUVAuthParameter is present.
    guard try parameters.unsignedIfPresent(LargeBlobsKey.length) == nil,
      try parameters.bytesIfPresent(LargeBlobsKey.pinUVAuthParameter) == nil,
      try parameters.unsignedIfPresent(LargeBlobsKey.pinUVAuthProtocol) == nil
    else { throw CTAPError(.invalidParameter, "a length or an authentication, which only set takes") }
    // 4.3. The fragment fits into a message.
    guard count <= DeviceLimits.maximumFragmentByteCount else { throw CTAPError(.invalidLength, "get \(count)") }
    // 4.4. The offset is not past the end.
    let array = try vault.read().largeBlobArray ?? LargeBlobArray.empty
    guard offset <= array.count else { throw CTAPError(.invalidParameter, "offset \(offset)") }
    // 4.5. Return the bytes available there.
    let fragment = array.dropFirst(Int(offset)).prefix(Int(count))
    return CBORWriter.bytes(of: [LargeBlobsKey.config: .bytes([UInt8](fragment))])
  }

  private func writeLargeBlobs(
    _ fragment: LargeBlobsFragment, continuing begun: LargeBlobWriting?
  ) throws(CTAPError) -> [UInt8] {
    // 5.1. The fragment fits into a message.
    guard fragment.bytes.count <= DeviceLimits.maximumFragmentByteCount else {
      throw CTAPError(.invalidLength, "set \(fragment.bytes.count)")
    }
    // 5.2 to 5.4. Begin a new array at offset 0, or else continue the unfinished one.
    var writing = try fragment.offset == 0 ? begin(fragment) : resume(fragment, begun)
    // 5.5. If user verification is set up or always required, the request is authorized.
    let state = try vault.read()
    if isProtected(state) || state.settings.alwaysRequiresUserVerification {
      try authorize(
        fragment.pinUVAuthParameter, protocol: fragment.protocolNumber, over: fragment.authenticatedBytes,
        permission: .largeBlobWrite, relyingPartyID: nil)
      guard let token = currentToken else { throw CTAPError(.pinAuthInvalid) }
      writing.authorization = .token(token.bytes)
    }
    // 5.6. The fragment does not exceed the announced length.
    guard fragment.bytes.count <= writing.expectedByteCount - writing.bytes.count else {
      throw CTAPError(.invalidParameter, "more than \(writing.expectedByteCount) bytes")
    }
    // 5.7. Append the fragment.
    writing.bytes += fragment.bytes
    guard writing.bytes.count == writing.expectedByteCount else {
      session.sequences.largeBlobs = writing
      return []
    }
    // 5.8. The array is complete. Verify its checksum, then replace the stored array.
    let array = try LargeBlobArray.verified(writing.bytes)
    try vault.update { (state) in state.largeBlobArray = array }
    return []
  }

  private func begin(_ fragment: LargeBlobsFragment) throws(CTAPError) -> LargeBlobWriting {
    // 5.2.1. The total length is present,
    guard let length = fragment.length else { throw CTAPError(.invalidParameter, "no length") }
    // 5.2.2. not too long,
    guard length <= DeviceLimits.maximumLargeBlobArrayByteCount else {
      throw CTAPError(.largeBlobStorageFull, "\(length) bytes")
    }
    // 5.2.3. and not too short.
    guard length >= LargeBlobArray.empty.count else { throw CTAPError(.invalidParameter, "\(length) bytes") }
    // 5.2.4, 5.2.5. Record the expected length.
    return LargeBlobWriting(bytes: [], expectedByteCount: Int(length), authorization: .lasting)
  }

  private func resume(
    _ fragment: LargeBlobsFragment, _ begun: LargeBlobWriting?
  ) throws(CTAPError) -> LargeBlobWriting {
    // 5.3.1. Only the first fragment has a length.
    guard fragment.length == nil else { throw CTAPError(.invalidParameter, "a length that is smaller than the offset") }
    // 5.4. The offset continues the unfinished array, which is still authorized.
    guard let begun, isInForce(begun.authorization), fragment.offset == begun.bytes.count else {
      throw CTAPError(.invalidSequence, "offset \(fragment.offset)")
    }
    return begun
  }
}

/// A fragment of an array to write.
private struct LargeBlobsFragment {
  let bytes: Bytes
  let offset: UInt64
  let length: UInt64?
  let pinUVAuthParameter: Bytes?
  let protocolNumber: UInt64?

  init(_ bytes: Bytes, at offset: UInt64, _ parameters: CommandParameters) throws(CTAPError) {
    self.bytes = bytes
    self.offset = offset
    length = try parameters.unsignedIfPresent(LargeBlobsKey.length)
    pinUVAuthParameter = try parameters.bytesIfPresent(LargeBlobsKey.pinUVAuthParameter)
    protocolNumber = try parameters.unsignedIfPresent(LargeBlobsKey.pinUVAuthProtocol)
  }

  /// The message that pinUVAuthParameter authenticates: 32 bytes of ff, 0c 00, the offset as a 32-bit little-endian
  /// integer, and the SHA-256 of the fragment. Offsets are validated before use and fit into 32 bits.
  var authenticatedBytes: Bytes {
    let place = (0..<4).map { (index) in UInt8(truncatingIfNeeded: offset >> (8 * UInt64(index))) }
    return [UInt8](repeating: 0xff, count: 32) + [CTAPCommand.largeBlobs.rawValue, 0] + place
      + Digest.sha256(bytes)
  }
}

/// The parameter and response keys of authenticatorLargeBlobs.
private enum LargeBlobsKey {
  static let get: CBORKey = 0x01
  static let set: CBORKey = 0x02
  static let offset: CBORKey = 0x03
  static let length: CBORKey = 0x04
  static let pinUVAuthParameter: CBORKey = 0x05
  static let pinUVAuthProtocol: CBORKey = 0x06

  static let config: CBORKey = 0x01
}

/// The serialized large-blob array (CTAP 2.3 §6.10): a CBOR array that is opaque to the device, and a checksum.
enum LargeBlobArray {
  /// The initial array, without entries.
  static let empty = withChecksum([0x80])

  /// Returns an array with its checksum appended.
  static func withChecksum(_ array: some ByteSource) -> [UInt8] {
    [UInt8](array) + Digest.sha256(array).prefix(checksumByteCount)
  }

  /// Returns `bytes` if the checksum is correct, or else throws `INTEGRITY_FAILURE`.
  static func verified(_ bytes: [UInt8]) throws(CTAPError) -> [UInt8] {
    guard withChecksum(bytes.dropLast(checksumByteCount)) == bytes else { throw CTAPError(.integrityFailure) }
    return bytes
  }

  private static let checksumByteCount = 16
}

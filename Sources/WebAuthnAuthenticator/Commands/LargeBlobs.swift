// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

// authenticatorLargeBlobs (CTAP 2.3 §6.10): a store of bytes that only platforms understand. The last 16 of them are the
// first of SHA-256 of the others; everybody may read them.
extension SoftwareAuthenticator {
  /// Reads a fragment, or takes one (§6.10.2). Reading leaves an array that is being written as it is.
  func largeBlobs(_ encoded: Bytes) throws(CTAPError) -> Bytes {
    let parameters = try CommandParameters(parsing: encoded)
    let get = try parameters.optionalUnsigned(LargeBlobsKey.get)
    let set = try parameters.optionalBytes(LargeBlobsKey.set)
    // 1. It is said where.
    guard let offset = try parameters.optionalUnsigned(LargeBlobsKey.offset) else {
      throw CTAPError(.invalidParameter, "no offset")
    }
    switch (get, set) {
    // 2, 3. One of the two is asked for.
    case (nil, nil), (.some, .some): throw CTAPError(.invalidParameter, "neither get nor set, or both")
    // 4. To read,
    case (let count?, nil): return try readLargeBlobs(count, at: offset, parameters)
    // 5. or to write.
    case (nil, let fragment?):
      let writing = session.sequences.largeBlobs
      // A fragment that is refused ends what was begun.
      session.sequences.largeBlobs = nil
      return try writeLargeBlobs(LargeBlobsFragment(fragment, at: offset, parameters), continuing: writing)
    }
  }

  private func readLargeBlobs(
    _ count: UInt64, at offset: UInt64, _ parameters: CommandParameters
  ) throws(CTAPError) -> Bytes {
    // 4.1, 4.2. It takes neither a length nor a token.
    guard try parameters.optionalUnsigned(LargeBlobsKey.length) == nil,
      try parameters.optionalBytes(LargeBlobsKey.pinUvAuthParam) == nil,
      try parameters.optionalUnsigned(LargeBlobsKey.pinUvAuthProtocol) == nil
    else { throw CTAPError(.invalidParameter, "more than is taken for reading") }
    // 4.3. It fits into a message.
    guard count <= DeviceLimits.maximumFragmentByteCount else { throw CTAPError(.invalidLength, "get \(count)") }
    // 4.4. It does not begin behind the end.
    let array = try vault.read().largeBlobArray ?? LargeBlobArray.empty
    guard offset <= array.count else { throw CTAPError(.invalidParameter, "offset \(offset)") }
    // 4.5. What there is.
    let fragment = array.dropFirst(Int(offset)).prefix(Int(count))
    return CBORWriter.bytes(of: [LargeBlobsKey.config: .bytes([UInt8](fragment))])[...]
  }

  private func writeLargeBlobs(
    _ fragment: LargeBlobsFragment, continuing begun: LargeBlobWriting?
  ) throws(CTAPError) -> Bytes {
    // 5.1. It fits into a message.
    guard fragment.bytes.count <= DeviceLimits.maximumFragmentByteCount else {
      throw CTAPError(.invalidLength, "set \(fragment.bytes.count)")
    }
    // 5.2 to 5.4. It begins an array, or goes on with one where that has stopped.
    var writing = try fragment.offset == 0 ? begin(fragment) : resume(fragment, begun)
    // 5.5. Who writes may, where users are verified.
    let state = try vault.read()
    if isProtected(state) || state.settings.alwaysRequiresUserVerification {
      try authorize(
        fragment.pinUvAuthParam, protocol: fragment.protocolNumber, over: fragment.authenticatedBytes,
        permission: .largeBlobWrite, relyingPartyID: nil)
      guard let token = currentToken else { throw CTAPError(.pinAuthInvalid) }
      writing.authorization = .token(token.bytes)
    }
    // 5.6. It is not more than was said.
    guard fragment.bytes.count <= writing.expectedByteCount - writing.bytes.count else {
      throw CTAPError(.invalidParameter, "more than \(writing.expectedByteCount) bytes")
    }
    // 5.7. It is put behind the others.
    writing.bytes += fragment.bytes
    guard writing.bytes.count == writing.expectedByteCount else {
      session.sequences.largeBlobs = writing
      return []
    }
    // 5.8. The array is whole: it is what the platform meant, and takes the place of the old one.
    let array = try LargeBlobArray.checked(writing.bytes)
    try vault.update { (state) in state.largeBlobArray = array }
    return []
  }

  private func begin(_ fragment: LargeBlobsFragment) throws(CTAPError) -> LargeBlobWriting {
    // 5.2.1. It is said how long the whole will be,
    guard let length = fragment.length else { throw CTAPError(.invalidParameter, "no length") }
    // 5.2.2. which is not too long,
    guard length <= DeviceLimits.maximumLargeBlobArrayByteCount else {
      throw CTAPError(.largeBlobStorageFull, "\(length) bytes")
    }
    // 5.2.3. nor too short.
    guard length >= LargeBlobArray.empty.count else { throw CTAPError(.invalidParameter, "\(length) bytes") }
    // 5.2.4, 5.2.5. That much is expected.
    return LargeBlobWriting(bytes: [], expectedByteCount: Int(length), authorization: .lasting)
  }

  private func resume(
    _ fragment: LargeBlobsFragment, _ begun: LargeBlobWriting?
  ) throws(CTAPError) -> LargeBlobWriting {
    // 5.3.1. How long the whole will be was said before.
    guard fragment.length == nil else { throw CTAPError(.invalidParameter, "a length behind the beginning") }
    // 5.4. It is the next fragment.
    guard let begun, isInForce(begun.authorization), fragment.offset == begun.bytes.count else {
      throw CTAPError(.invalidSequence, "offset \(fragment.offset)")
    }
    return begun
  }
}

/// A part of an array that is to be written.
private struct LargeBlobsFragment {
  let bytes: Bytes
  let offset: UInt64
  let length: UInt64?
  let pinUvAuthParam: Bytes?
  let protocolNumber: UInt64?

  init(_ bytes: Bytes, at offset: UInt64, _ parameters: CommandParameters) throws(CTAPError) {
    self.bytes = bytes
    self.offset = offset
    length = try parameters.optionalUnsigned(LargeBlobsKey.length)
    pinUvAuthParam = try parameters.optionalBytes(LargeBlobsKey.pinUvAuthParam)
    protocolNumber = try parameters.optionalUnsigned(LargeBlobsKey.pinUvAuthProtocol)
  }

  /// 32 bytes of ff, 0c 00, the offset in four bytes little-endian, and SHA-256 of the fragment. The offset is that of a
  /// fragment that is expected, so four bytes hold it.
  var authenticatedBytes: Bytes {
    let place = (0..<4).map { (index) in UInt8(truncatingIfNeeded: offset >> (8 * UInt64(index))) }
    return [UInt8](repeating: 0xff, count: 32) + [CTAPCommand.largeBlobs.rawValue, 0] + place
      + Digest.sha256(bytes)
  }
}

/// The keys of largeBlobs' parameters, and of its answer.
private enum LargeBlobsKey {
  static let get: CBORKey = 0x01
  static let set: CBORKey = 0x02
  static let offset: CBORKey = 0x03
  static let length: CBORKey = 0x04
  static let pinUvAuthParam: CBORKey = 0x05
  static let pinUvAuthProtocol: CBORKey = 0x06

  static let config: CBORKey = 0x01
}

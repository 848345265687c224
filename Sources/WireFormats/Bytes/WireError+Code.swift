// SPDX-License-Identifier: Apache-2.0

extension WireError {
  /// The causes for which this floor refuses bytes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Bytes
    case bytesTruncated = "bytes.truncated"
    case bytesTrailing = "bytes.trailing"
    case bytesInvalidValue = "bytes.invalid-value"
    case bytesUnknownVersion = "bytes.unknown-version"

    // Base64 and base64url
    case base64InvalidCharacter = "base64.invalid-character"
    case base64InvalidLength = "base64.invalid-length"
    case base64StrayBits = "base64.stray-bits"

    // Hex
    case hexInvalidCharacter = "hex.invalid-character"
    case hexOddLength = "hex.odd-length"

    // PEM
    case pemMissingBoundary = "pem.missing-boundary"

    // CBOR: not well formed
    case cborTruncated = "cbor.truncated"
    case cborTrailingBytes = "cbor.trailing-bytes"
    case cborLengthExceedsInput = "cbor.length-exceeds-input"
    case cborReservedHead = "cbor.reserved-head"
    case cborInvalidSimpleValue = "cbor.invalid-simple-value"
    case cborUnexpectedBreak = "cbor.unexpected-break"
    case cborInvalidChunk = "cbor.invalid-chunk"

    // CBOR: well formed and refused
    case cborDepthExceeded = "cbor.depth-exceeded"
    case cborTooLarge = "cbor.too-large"
    case cborInvalidUTF8 = "cbor.invalid-utf8"
    case cborDuplicateKey = "cbor.duplicate-key"
    case cborUnsupportedKey = "cbor.unsupported-key"
    case cborIndefiniteLength = "cbor.indefinite-length"
    case cborNotShortest = "cbor.not-shortest"
    case cborKeysOutOfOrder = "cbor.keys-out-of-order"
    case cborTagNotAllowed = "cbor.tag-not-allowed"

    // CBOR: not what was asked for
    case cborWrongType = "cbor.wrong-type"
    case cborNumberOutOfRange = "cbor.number-out-of-range"
    case cborMissingKey = "cbor.missing-key"

    // DER
    case derTruncated = "der.truncated"
    case derTrailingBytes = "der.trailing-bytes"
    case derLengthExceedsInput = "der.length-exceeds-input"
    case derInvalidTag = "der.invalid-tag"
    case derInvalidLength = "der.invalid-length"
    case derUnexpectedTag = "der.unexpected-tag"
    case derDepthExceeded = "der.depth-exceeded"
    case derInvalidBoolean = "der.invalid-boolean"
    case derInvalidInteger = "der.invalid-integer"
    case derIntegerOutOfRange = "der.integer-out-of-range"
    case derInvalidBitString = "der.invalid-bit-string"
    case derInvalidNull = "der.invalid-null"
    case derInvalidObjectIdentifier = "der.invalid-object-identifier"
    case derInvalidString = "der.invalid-string"
    case derInvalidTime = "der.invalid-time"
    case derSetOutOfOrder = "der.set-out-of-order"

    // JSON: not JSON
    case jsonTruncated = "json.truncated"
    case jsonTrailingBytes = "json.trailing-bytes"
    case jsonUnexpectedCharacter = "json.unexpected-character"
    case jsonInvalidUTF8 = "json.invalid-utf8"
    case jsonInvalidEscape = "json.invalid-escape"
    case jsonLoneSurrogate = "json.lone-surrogate"
    case jsonControlCharacter = "json.control-character"
    case jsonInvalidNumber = "json.invalid-number"

    // JSON: well formed and refused
    case jsonDuplicateName = "json.duplicate-name"
    case jsonDepthExceeded = "json.depth-exceeded"
    case jsonTooLarge = "json.too-large"

    // JSON: not what was asked for
    case jsonWrongType = "json.wrong-type"
    case jsonNumberOutOfRange = "json.number-out-of-range"
    case jsonMissingMember = "json.missing-member"

    // Time
    case timeInvalid = "time.invalid"
  }
}

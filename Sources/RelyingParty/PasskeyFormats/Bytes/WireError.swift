// SPDX-License-Identifier: Apache-2.0

/// A parse error: its cause and its position.
///
/// Every function of this module throws this type. `code` is stable. `offset` is an index into the array that the
/// parsed bytes are a slice of; for a whole array it is the number of bytes before the error.
@usableFromInline package struct WireError: Error, Hashable, Sendable {
  /// The cause.
  package let code: Code

  /// The index of the first byte that was rejected, or the end index if bytes are missing.
  package let offset: Int

  /// Creates an error.
  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension WireError: CustomStringConvertible {
  /// The code and the offset, for a log line.
  @usableFromInline package var description: String { "\(code.rawValue) at offset \(offset)" }
}

extension WireError {
  /// The causes of a parse error. Raw values are stable: cases are added, never renamed.
  @nonexhaustive
  package enum Code: String, CaseIterable, Sendable {
    // Bytes
    /// The bytes end too early.
    case bytesTruncated = "bytes.truncated"
    /// Bytes follow the last field.
    case bytesTrailing = "bytes.trailing"
    /// A field has a value that is not allowed.
    case bytesInvalidValue = "bytes.invalid-value"
    /// The bytes were written by a later version of the format.
    case bytesUnknownVersion = "bytes.unknown-version"

    // Base64 and base64url
    /// A character is not in the alphabet.
    case base64InvalidCharacter = "base64.invalid-character"
    /// The text has an impossible length, or its padding is wrong.
    case base64InvalidLength = "base64.invalid-length"
    /// The last character has non-zero bits that belong to no byte.
    case base64StrayBits = "base64.stray-bits"

    // Hex
    /// A character is not a hexadecimal digit.
    case hexInvalidCharacter = "hex.invalid-character"
    /// The number of digits is odd.
    case hexOddLength = "hex.odd-length"

    // PEM
    /// A PEM block lacks its BEGIN or END line.
    case pemMissingBoundary = "pem.missing-boundary"

    // CBOR: not well formed
    /// The CBOR ends too early.
    case cborTruncated = "cbor.truncated"
    /// Bytes follow the item.
    case cborTrailingBytes = "cbor.trailing-bytes"
    /// A length is larger than the remaining input.
    case cborLengthExceedsInput = "cbor.length-exceeds-input"
    /// A head uses additional information 28 to 30, which RFC 8949 reserves.
    case cborReservedHead = "cbor.reserved-head"
    /// A simple value uses an encoding that is not well formed.
    case cborInvalidSimpleValue = "cbor.invalid-simple-value"
    /// A break occurs outside an indefinite-length item.
    case cborUnexpectedBreak = "cbor.unexpected-break"
    /// A chunk of an indefinite-length string has another type, or has an indefinite length itself.
    case cborInvalidChunk = "cbor.invalid-chunk"

    // CBOR: well formed, but rejected
    /// Arrays, maps and tags are nested too deeply.
    case cborDepthExceeded = "cbor.depth-exceeded"
    /// The input or one of its parts is too large.
    case cborTooLarge = "cbor.too-large"
    /// A text string is not valid UTF-8.
    case cborInvalidUTF8 = "cbor.invalid-utf8"
    /// A map has a duplicate key.
    case cborDuplicateKey = "cbor.duplicate-key"
    /// A map key is not an integer, a string or a simple value.
    case cborUnsupportedKey = "cbor.unsupported-key"
    /// A length is indefinite where only definite lengths are allowed.
    case cborIndefiniteLength = "cbor.indefinite-length"
    /// A number or length is not in its shortest form.
    case cborNotShortest = "cbor.not-shortest"
    /// The keys of a map are not in canonical order.
    case cborKeysOutOfOrder = "cbor.keys-out-of-order"
    /// A tag occurs where tags are not allowed.
    case cborTagNotAllowed = "cbor.tag-not-allowed"

    // CBOR: not what the caller asked for
    /// A value does not have the requested type.
    case cborWrongType = "cbor.wrong-type"
    /// A number does not fit the requested type.
    case cborNumberOutOfRange = "cbor.number-out-of-range"
    /// A map lacks a required key.
    case cborMissingKey = "cbor.missing-key"

    // DER
    /// The DER ends too early.
    case derTruncated = "der.truncated"
    /// Bytes follow the element, or the last field inside it.
    case derTrailingBytes = "der.trailing-bytes"
    /// A length is larger than the remaining input.
    case derLengthExceedsInput = "der.length-exceeds-input"
    /// A tag is not in its shortest form, or is too large.
    case derInvalidTag = "der.invalid-tag"
    /// A length is indefinite or not in its shortest form.
    case derInvalidLength = "der.invalid-length"
    /// An element does not have the requested tag.
    case derUnexpectedTag = "der.unexpected-tag"
    /// Elements are nested too deeply.
    case derDepthExceeded = "der.depth-exceeded"
    /// A BOOLEAN is neither 00 nor FF.
    case derInvalidBoolean = "der.invalid-boolean"
    /// An INTEGER is empty or not in its shortest form.
    case derInvalidInteger = "der.invalid-integer"
    /// An INTEGER does not fit the requested type.
    case derIntegerOutOfRange = "der.integer-out-of-range"
    /// The unused bits of a BIT STRING are invalid.
    case derInvalidBitString = "der.invalid-bit-string"
    /// A NULL has content.
    case derInvalidNull = "der.invalid-null"
    /// An OBJECT IDENTIFIER is malformed or exceeds the limits.
    case derInvalidObjectIdentifier = "der.invalid-object-identifier"
    /// A string has characters that its type does not allow.
    case derInvalidString = "der.invalid-string"
    /// A time is malformed or does not exist.
    case derInvalidTime = "der.invalid-time"
    /// The elements of a SET OF are not sorted.
    case derSetOutOfOrder = "der.set-out-of-order"

    // JSON: malformed
    /// The JSON ends too early.
    case jsonTruncated = "json.truncated"
    /// Text follows the value.
    case jsonTrailingBytes = "json.trailing-bytes"
    /// A character is not allowed by the grammar at this position.
    case jsonUnexpectedCharacter = "json.unexpected-character"
    /// The text is not UTF-8.
    case jsonInvalidUTF8 = "json.invalid-utf8"
    /// An escape sequence is invalid.
    case jsonInvalidEscape = "json.invalid-escape"
    /// An escaped surrogate has no matching half.
    case jsonLoneSurrogate = "json.lone-surrogate"
    /// A string contains an unescaped control character.
    case jsonControlCharacter = "json.control-character"
    /// A number is malformed.
    case jsonInvalidNumber = "json.invalid-number"

    // JSON: well formed, but rejected
    /// An object has a duplicate name.
    case jsonDuplicateName = "json.duplicate-name"
    /// Arrays and objects are nested too deeply.
    case jsonDepthExceeded = "json.depth-exceeded"
    /// The text exceeds the size limit.
    case jsonTooLarge = "json.too-large"

    // JSON: not what the caller asked for
    /// A value does not have the requested type.
    case jsonWrongType = "json.wrong-type"
    /// A number does not fit the requested type.
    case jsonNumberOutOfRange = "json.number-out-of-range"
    /// An object lacks a required member.
    case jsonMissingMember = "json.missing-member"

    // Time
    /// A date and time are malformed or do not exist.
    case timeInvalid = "time.invalid"
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What is wrong with some bytes, and where.
///
/// The one error of this floor. `code` is for programs and never changes its name; `offset` is an index into the array
/// from which the bytes that were read are a slice (for a whole array: the number of bytes before the fault).
public struct WireError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// The index of the first byte that could not be accepted, or of the end where bytes are missing.
  public let offset: Int

  /// Makes an error.
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}

extension WireError: CustomStringConvertible {
  /// The code and the offset, for a log line.
  public var description: String { "\(code.rawValue) at offset \(offset)" }
}

extension WireError {
  /// The causes for which this floor refuses bytes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // Bytes
    /// The bytes end too early.
    case bytesTruncated = "bytes.truncated"
    /// Something stands behind what was to be all of the bytes.
    case bytesTrailing = "bytes.trailing"
    /// A value is none that its field may have.
    case bytesInvalidValue = "bytes.invalid-value"
    /// The bytes were written by a later version.
    case bytesUnknownVersion = "bytes.unknown-version"

    // Base64 and base64url
    /// A character is not of the alphabet.
    case base64InvalidCharacter = "base64.invalid-character"
    /// No bytes have a text of this length, or the padding is wrong.
    case base64InvalidLength = "base64.invalid-length"
    /// The last character has bits that belong to no byte.
    case base64StrayBits = "base64.stray-bits"

    // Hex
    /// A character is no hexadecimal digit.
    case hexInvalidCharacter = "hex.invalid-character"
    /// A digit is missing.
    case hexOddLength = "hex.odd-length"

    // PEM
    /// The line that begins or ends a PEM block is not there.
    case pemMissingBoundary = "pem.missing-boundary"

    // CBOR: not well formed
    /// The CBOR ends too early.
    case cborTruncated = "cbor.truncated"
    /// Something stands behind the value.
    case cborTrailingBytes = "cbor.trailing-bytes"
    /// A length is announced that the input does not have.
    case cborLengthExceedsInput = "cbor.length-exceeds-input"
    /// A head has a form that CBOR reserves.
    case cborReservedHead = "cbor.reserved-head"
    /// A simple value is written in a form that it may not have.
    case cborInvalidSimpleValue = "cbor.invalid-simple-value"
    /// A break stands where nothing is open.
    case cborUnexpectedBreak = "cbor.unexpected-break"
    /// A string in pieces has a piece of another kind.
    case cborInvalidChunk = "cbor.invalid-chunk"

    // CBOR: well formed and refused
    /// Arrays, maps and tags stand deeper inside one another than is allowed.
    case cborDepthExceeded = "cbor.depth-exceeded"
    /// The input, or one of its parts, is larger than is allowed.
    case cborTooLarge = "cbor.too-large"
    /// A text string is not UTF-8.
    case cborInvalidUTF8 = "cbor.invalid-utf8"
    /// A map has a key twice.
    case cborDuplicateKey = "cbor.duplicate-key"
    /// A map's key is neither a number nor a string.
    case cborUnsupportedKey = "cbor.unsupported-key"
    /// A length is left open where that is not allowed.
    case cborIndefiniteLength = "cbor.indefinite-length"
    /// A number or a length is not in its shortest form.
    case cborNotShortest = "cbor.not-shortest"
    /// A map's keys are not in canonical order.
    case cborKeysOutOfOrder = "cbor.keys-out-of-order"
    /// A tag stands where none is allowed.
    case cborTagNotAllowed = "cbor.tag-not-allowed"

    // CBOR: not what was asked for
    /// A value is of another type than was asked for.
    case cborWrongType = "cbor.wrong-type"
    /// A number does not fit where it is to go.
    case cborNumberOutOfRange = "cbor.number-out-of-range"
    /// A map lacks a key that was asked for.
    case cborMissingKey = "cbor.missing-key"

    // DER
    /// The DER ends too early.
    case derTruncated = "der.truncated"
    /// Something stands behind the element, or inside it behind its last part.
    case derTrailingBytes = "der.trailing-bytes"
    /// A length is announced that the input does not have.
    case derLengthExceedsInput = "der.length-exceeds-input"
    /// A tag is not in its shortest form, or too large.
    case derInvalidTag = "der.invalid-tag"
    /// A length is not in its shortest form, or is left open.
    case derInvalidLength = "der.invalid-length"
    /// An element is another than was asked for.
    case derUnexpectedTag = "der.unexpected-tag"
    /// Elements stand deeper inside one another than is allowed.
    case derDepthExceeded = "der.depth-exceeded"
    /// A Boolean is neither 00 nor FF.
    case derInvalidBoolean = "der.invalid-boolean"
    /// An integer is empty, or not in its shortest form.
    case derInvalidInteger = "der.invalid-integer"
    /// An integer does not fit where it is to go.
    case derIntegerOutOfRange = "der.integer-out-of-range"
    /// A bit string's unused bits are wrong.
    case derInvalidBitString = "der.invalid-bit-string"
    /// A null has content.
    case derInvalidNull = "der.invalid-null"
    /// An object identifier is not in its form.
    case derInvalidObjectIdentifier = "der.invalid-object-identifier"
    /// A string has characters that its type does not have.
    case derInvalidString = "der.invalid-string"
    /// A time is not in its form, or names no moment.
    case derInvalidTime = "der.invalid-time"
    /// The elements of a set are not in order.
    case derSetOutOfOrder = "der.set-out-of-order"

    // JSON: not JSON
    /// The JSON ends too early.
    case jsonTruncated = "json.truncated"
    /// Something stands behind the value.
    case jsonTrailingBytes = "json.trailing-bytes"
    /// A character stands where the grammar has none such.
    case jsonUnexpectedCharacter = "json.unexpected-character"
    /// The text is not UTF-8.
    case jsonInvalidUTF8 = "json.invalid-utf8"
    /// An escape is none that JSON has.
    case jsonInvalidEscape = "json.invalid-escape"
    /// A surrogate is escaped without its other half.
    case jsonLoneSurrogate = "json.lone-surrogate"
    /// A control character stands in a string unescaped.
    case jsonControlCharacter = "json.control-character"
    /// A number is not in JSON's form.
    case jsonInvalidNumber = "json.invalid-number"

    // JSON: well formed and refused
    /// An object has a name twice.
    case jsonDuplicateName = "json.duplicate-name"
    /// Arrays and objects stand deeper inside one another than is allowed.
    case jsonDepthExceeded = "json.depth-exceeded"
    /// The text is longer than is allowed.
    case jsonTooLarge = "json.too-large"

    // JSON: not what was asked for
    /// A value is of another type than was asked for.
    case jsonWrongType = "json.wrong-type"
    /// A number does not fit where it is to go.
    case jsonNumberOutOfRange = "json.number-out-of-range"
    /// An object lacks a member that was asked for.
    case jsonMissingMember = "json.missing-member"

    // Time
    /// A date and time are not in their form, or name no moment.
    case timeInvalid = "time.invalid"
  }
}

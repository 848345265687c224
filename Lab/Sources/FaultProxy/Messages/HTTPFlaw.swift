// SPDX-License-Identifier: Apache-2.0

/// The reason why a proxy does not forward a message: another reader could find its end at another place.
enum HTTPFlaw: Hashable, Sendable {
  case notHTTP
  case headTooLong
  case bareLineEnd
  case malformedField
  case malformedLength
  case severalLengths
  case lengthAndCoding
  case unsupportedCoding
  case malformedChunk
  case chunkTooLong
  case unrequestedReply
  case unrequestedUpgrade

  /// The reason, for the log.
  var text: String {
    switch self {
    case .notHTTP: "the bytes are not HTTP/1; --bytes forwards any protocol"
    case .headTooLong: "the head is too long"
    case .bareLineEnd: "a line does not end with CR LF, or has a CR or NUL inside"
    case .malformedField: "a line of the head is not a field"
    case .malformedLength: "Content-Length is not a number"
    case .severalLengths: "there are several Content-Length fields"
    case .lengthAndCoding: "there are Content-Length and Transfer-Encoding"
    case .unsupportedCoding: "Transfer-Encoding is not chunked, or this is HTTP/1.0"
    case .malformedChunk: "a chunk is malformed"
    case .chunkTooLong: "the extensions of a chunk or the trailer fields are too long"
    case .unrequestedReply: "the server sends a reply that no request asked for"
    case .unrequestedUpgrade: "the server upgrades a connection whose client did not ask for it"
    }
  }
}

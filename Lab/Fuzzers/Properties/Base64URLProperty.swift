// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

func checkBase64URL(_ input: Bytes) throws(Violation) {
  // Any bytes survive a round trip.
  let bytes = Array(input)
  try require(try decoded(Base64URL.decode, utf8(Base64URL.encode(input))) == bytes, "base64url round trip failed")
  try require(try decoded(Base64.decode, utf8(Base64.encode(input))) == bytes, "base64 round trip failed")
  try require(try decoded(Hex.decode, utf8(Hex.encode(input))) == bytes, "hex round trip failed")

  // The strict forms are bijective: accepted text equals the encoding of its bytes.
  if let strict = try decoded(Base64URL.decode, input) {
    try require(utf8(Base64URL.encode(strict)) == input, "accepted text differs from its re-encoding")
  }
  let lenient = try decoded(Base64.decodeLeniently, input)
  if let standard = try decoded(Base64.decode, input) {
    try require(utf8(Base64.encode(standard)) == input, "accepted text differs from its re-encoding")
    try require(lenient == standard, "the lenient form rejected strict text")
  }
  _ = try decoded(Hex.decode, input)
  _ = try accepted(input) { () throws(WireError) in try PEM.blocks(in: input) }
}

private func decoded(
  _ decode: (Bytes) throws(WireError) -> [UInt8], _ input: Bytes
) throws(Violation) -> [UInt8]? {
  try accepted(input) { () throws(WireError) in try decode(input) }
}

private func utf8(_ text: String) -> Bytes { Array(text.utf8)[...] }

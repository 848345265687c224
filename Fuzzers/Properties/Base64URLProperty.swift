// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

func checkBase64URL(_ input: Bytes) {
  // Any bytes survive the way there and back.
  require(
    decoded(Base64URL.decode, Array(Base64URL.encode(input).utf8)[...]) == Array(input), "base64url and back")
  require(decoded(Base64.decode, Array(Base64.encode(input).utf8)[...]) == Array(input), "base64 and back")
  require(decoded(Hex.decode, Array(Hex.encode(input).utf8)[...]) == Array(input), "hex and back")

  // The strict forms are one to one: what is accepted is what would have been written.
  let strict = decoded(Base64URL.decode, input)
  if let strict {
    require(Array(Base64URL.encode(strict).utf8) == Array(input), "accepted and written otherwise")
  }
  let standard = decoded(Base64.decode, input)
  if let standard {
    require(Array(Base64.encode(standard).utf8) == Array(input), "accepted and written otherwise")
    require(decoded(Base64.decodeLeniently, input) == standard, "stricter when lenient")
  }
  _ = decoded(Base64.decodeLeniently, input)
  _ = decoded(Hex.decode, input)

  do throws(WireError) {
    _ = try PEM.blocks(in: input)
  } catch {
    requireInside(error.offset, input)
  }
}

private func decoded(_ decode: (Bytes) throws(WireError) -> [UInt8], _ input: Bytes) -> [UInt8]? {
  do throws(WireError) {
    return try decode(input)
  } catch {
    requireInside(error.offset, input)
    return nil
  }
}

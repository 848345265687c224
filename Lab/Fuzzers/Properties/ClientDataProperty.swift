// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

func checkClientData(_ input: Bytes) throws(Violation) {
  let data: ClientData
  do throws(FormatError) {
    data = try ClientData(parsing: input)
  } catch {
    return try require(error.offset, inside: input)
  }
  try require(data.encoded == input, "the stored encoding differs from the input")
  // Leading white space forces the JSON parser, which must give the same values as the fast path.
  if input.first == UInt8(ascii: "{"), input.count < JSON.maximumMessageSize {
    let spaced = [UInt8(ascii: " ")] + input
    guard let again = try? ClientData(parsing: spaced[...]) else {
      throw Violation(description: "the full parser rejects it")
    }
    try require(again.saysTheSame(as: data), "the full parser reads other values")
  }
  try checkSerialization(data)
  try checkPayment(input)
}

/// Checks that payment details parse or are rejected at an offset inside the input.
private func checkPayment(_ input: Bytes) throws(Violation) {
  do throws(FormatError) {
    _ = try ClientPaymentData(parsing: input)
  } catch {
    try require(error.offset, inside: input)
  }
}

/// Checks that client data created from the parsed values survive a round trip.
private func checkSerialization(_ data: ClientData) throws(Violation) {
  guard let origin = try? WebOrigin(utf8: data.originUTF8) else { return }
  let topOrigin = data.topOriginUTF8.flatMap { try? WebOrigin(utf8: $0) }
  guard (topOrigin == nil) == (data.topOriginUTF8 == nil) else { return }
  let challenge = Challenge(allowingGuessableLength: data.challenge)
  let written = ClientData(
    type: data.type, challenge: challenge, origin: origin, crossOrigin: data.crossOrigin == true, topOrigin: topOrigin)
  guard let again = try? ClientData(parsing: written.encoded) else {
    throw Violation(description: "written bytes cannot be parsed")
  }
  try require(again == written, "the round trip changed the value")
}

extension ClientData {
  fileprivate func saysTheSame(as other: ClientData) -> Bool {
    type == other.type && challenge == other.challenge && originUTF8 == other.originUTF8
      && crossOrigin == other.crossOrigin && topOriginUTF8 == other.topOriginUTF8
  }
}

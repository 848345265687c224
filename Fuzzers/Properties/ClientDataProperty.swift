// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

func checkClientData(_ input: Bytes) throws(Violation) {
  let data: ClientData
  do throws(FormatError) {
    data = try ClientData(parsing: input)
  } catch {
    return try require(error.offset, inside: input)
  }
  try require(data.encoded == input, "not its own bytes")
  // White space in front is read by the parser alone, which must see what the quick way sees.
  if input.first == UInt8(ascii: "{"), input.count < JSON.maximumMessageSize {
    let spaced = [UInt8(ascii: " ")] + input
    guard let again = try? ClientData(parsing: spaced[...]) else {
      throw Violation(description: "the parser refuses it")
    }
    try require(again.saysTheSame(as: data), "the parser reads something else")
  }
  try checkMatches(data)
  try checkPayment(input)
}

/// What was shown of a payment is read, or refused where it stands.
private func checkPayment(_ input: Bytes) throws(Violation) {
  do throws(FormatError) {
    _ = try ClientPaymentData(parsing: input)
  } catch {
    try require(error.offset, inside: input)
  }
}

/// The limited algorithm is asked for what the text says, and must find it there.
private func checkMatches(_ data: ClientData) throws(Violation) {
  guard let origin = try? Origin(utf8: data.originUTF8) else { return }
  let topOrigin = data.topOriginUTF8.flatMap { try? Origin(utf8: $0) }
  guard (topOrigin == nil) == (data.topOriginUTF8 == nil) else { return }
  let challenge = Challenge(allowingGuessableLength: data.challenge)
  let matches = ClientData.matches(
    data.encoded, type: data.type, challenge: challenge, origin: origin, topOrigin: topOrigin)
  try require(matches == ((data.crossOrigin == true) == (topOrigin != nil)), "another verdict")

  let written = ClientData(
    type: data.type, challenge: challenge, origin: origin, crossOrigin: data.crossOrigin == true, topOrigin: topOrigin)
  guard let again = try? ClientData(parsing: written.encoded) else {
    throw Violation(description: "written and not read")
  }
  try require(again == written, "written, and something else read")
}

extension ClientData {
  fileprivate func saysTheSame(as other: ClientData) -> Bool {
    type == other.type && challenge == other.challenge && originUTF8 == other.originUTF8
      && crossOrigin == other.crossOrigin && topOriginUTF8 == other.topOriginUTF8
  }
}

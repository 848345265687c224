// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// What a store gives back is read as one kind of ceremony at most, and means the same when it is written again.
func checkPending(_ input: Bytes) throws(Violation) {
  let registration = try? PendingRegistration(bytes: input)
  let authentication = try? PendingAuthentication(bytes: input)
  try require(registration == nil || authentication == nil, "a ceremony of both kinds")
  if let registration {
    let written = registration.bytes
    try require((try? PendingRegistration(bytes: written[...])) == registration, "written, and something else read")
    try require(registration.challenge.bytes.count > 0, "no challenge")
  }
  if let authentication {
    let written = authentication.bytes
    try require(
      (try? PendingAuthentication(bytes: written[...])) == authentication, "written, and something else read")
    try require(
      authentication.purpose == .signIn || authentication.identification != .fromResponse,
      "a step-up of nobody in particular")
  }
}

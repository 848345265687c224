// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// Checks that stored bytes parse as at most one type of ceremony, and survive a round trip.
func checkPending(_ input: Bytes) throws(Violation) {
  let isRegistration = try checkPendingRegistration(input)
  let isAuthentication = try checkPendingAuthentication(input)
  try require(!isRegistration || !isAuthentication, "the bytes parse as both ceremony types")
}

private func checkPendingRegistration(_ input: Bytes) throws(Violation) -> Bool {
  guard let pending = try? PendingRegistration(taken: [UInt8](input)) else { return false }
  let written = pending.bytes
  let again = (try? PendingRegistration(taken: written))?.bytes
  try require(again == written, "the round trip changed the value")
  try require(pending.challenge.bytes.count > 0, "no challenge")
  return true
}

private func checkPendingAuthentication(_ input: Bytes) throws(Violation) -> Bool {
  guard let pending = try? PendingAuthentication(taken: [UInt8](input)) else { return false }
  let written = pending.bytes
  let again = (try? PendingAuthentication(taken: written))?.bytes
  try require(again == written, "the round trip changed the value")
  try require(
    pending.purpose == .signIn || pending.identification != .fromResponse, "a step-up without a known user")
  return true
}

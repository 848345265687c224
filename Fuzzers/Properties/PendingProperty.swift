// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// What a store gives back is read as one kind of ceremony at most, and means the same when it is written again.
func checkPending(_ input: Bytes) throws(Violation) {
  let isRegistration = try checkPendingRegistration(input)
  let isAuthentication = try checkPendingAuthentication(input)
  try require(!isRegistration || !isAuthentication, "a ceremony of both kinds")
}

private func checkPendingRegistration(_ input: Bytes) throws(Violation) -> Bool {
  guard let pending = try? PendingRegistration(taken: input) else { return false }
  let written = pending.bytes
  let again = (try? PendingRegistration(taken: written[...]))?.bytes
  try require(again == written, "written, and something else read")
  try require(pending.challenge.bytes.count > 0, "no challenge")
  return true
}

private func checkPendingAuthentication(_ input: Bytes) throws(Violation) -> Bool {
  guard let pending = try? PendingAuthentication(taken: input) else { return false }
  let written = pending.bytes
  let again = (try? PendingAuthentication(taken: written[...]))?.bytes
  try require(again == written, "written, and something else read")
  try require(
    pending.purpose == .signIn || pending.identification != .fromResponse, "a step-up of an unknown user")
  return true
}

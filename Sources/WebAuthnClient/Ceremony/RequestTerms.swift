// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// What a sign-in is about, once it is known to be allowed.
struct RequestTerms: Sendable {
  let options: RequestOptions
  let relyingParty: RelyingPartyID
  let inputs: RequestInputs
  let clientData: ClientData
  let clientDataHash: Bytes
}

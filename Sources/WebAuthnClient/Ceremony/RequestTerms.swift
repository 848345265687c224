// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// The validated parameters of an authentication ceremony.
struct RequestTerms: Sendable {
  let options: RequestOptions
  let relyingParty: RelyingPartyID
  let inputs: RequestInputs
  let clientData: ClientData
  let clientDataHash: Bytes
}

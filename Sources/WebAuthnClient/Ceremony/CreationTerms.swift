// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// The validated parameters of a registration ceremony.
struct CreationTerms: Sendable {
  let options: CreationOptions
  let relyingParty: RelyingPartyID
  let parameters: [CredentialParameters]
  let inputs: RegistrationInputs
  let clientData: ClientData
  let clientDataHash: Bytes
  let policy: ClientPolicy
}

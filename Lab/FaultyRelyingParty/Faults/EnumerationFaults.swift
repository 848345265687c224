// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let enumeration = list([
    "enumeration.options-status": "A sign-in for an unknown address is refused.",
    "enumeration.options-shape": "The options for a known address have another member.",
    "enumeration.options-credentials": "The options for a known address list its passkeys.",
    "enumeration.options-credentials/length": "Unknown addresses have passkeys with IDs of another length.",
    "enumeration.options-credentials/transports": "Only the passkeys of known addresses have transports.",
    "enumeration.decoys-stable":
      "The options for an unknown address list other passkeys each time, those for a known one its own.",
    "enumeration.decoys-predictable": "The passkeys of unknown addresses are SHA-256 digests of the addresses.",
    "enumeration.options-size": "The options for a known address have spaces after them.",
    "enumeration.options-disclose": "The options for a sign-in have the user handle of the address.",
    "enumeration.verify-errors": "A failed sign-in says that the address is unknown.",
    "enumeration.verify-errors/body": "The refusal of an unknown address has another member.",
    "enumeration.timing": "A sign-in for a known address takes longer.",
    "enumeration.registration-options": "A registration of a taken address is refused at its begin.",
    "enumeration.registration-verify": "A registration of a taken address is refused at its end.",
    "enumeration.recovery": "A recovery for an unknown address is refused.",
  ])
}

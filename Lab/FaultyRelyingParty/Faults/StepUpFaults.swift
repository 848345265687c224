// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let stepUp = list([
    "step-up.add-credential": "A passkey is added without a step-up.",
    "step-up.delete-credential": "A passkey is deleted without a step-up.",
    "step-up.erase-account": "The account is erased without a step-up.",
    "step-up.after-registration": "A session that a registration opened needs no step-up.",
    "step-up.after-refresh": "A renewed session needs no step-up.",
    "step-up.options-without-session": "A step-up for an unknown account begins without a session.",
    "step-up.forged-grant": "Any grant is accepted.",
    "step-up.grant-reuse": "A grant can be used again.",
    "step-up.other-body": "A grant confirms any body.",
    "step-up.other-path": "A grant confirms any path.",
    "step-up.other-method": "A grant confirms any method.",
    "step-up.other-session": "A grant is accepted in another session of the account.",
    "step-up.other-account": "A grant is accepted in a session of another account.",
    "step-up.expired": "A grant does not expire.",
    "step-up.user-verification": "A step-up needs no user verification.",
    "step-up.replayed-assertion": "An assertion can finish several step-ups.",
    "step-up.sign-in-assertion": "An assertion for a sign-in finishes a step-up.",
    "step-up.other-passkey": "A passkey of another account finishes a step-up.",
  ])
}

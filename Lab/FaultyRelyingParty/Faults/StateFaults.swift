// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let state = list([
    "state.registration-replay": "The challenge of a registration stays usable.",
    "state.assertion-replay": "The challenge of a sign-in stays usable.",
    "state.failed-attempt": "The challenge of a sign-in stays usable after a refused response.",
    "state.binding": "The cookie of a ceremony is ignored.",
    "state.expiry": "Ceremonies do not expire.",
    "state.parallel": "Responses that arrive together use the same challenge.",
    "state.two-pending": "Another sign-in ends the pending ones.",
    "state.challenge-length": "Challenges have eight bytes.",
    "state.challenge-unique": "Challenges share their first 24 bytes.",
    "state.challenge-chosen": "The challenge is taken from the request.",
    "state.challenge-echoed": "The challenge is compared with the member challenge of the request.",
    "state.recovery-replay": "A recovery code stays valid.",
    "state.invitation-replay": "An invitation stays valid.",
    "state.verification-downgrade": "The request decides about user verification.",
    "state.purpose-registration-as-sign-in": "The challenge of a registration is good for a sign-in.",
    "state.purpose-sign-in-as-registration": "The challenge of a sign-in is good for a registration.",
    "state.purpose-step-up-as-sign-in": "The challenge of a step-up is good for a sign-in.",
    "state.purpose-reverify-as-sign-in": "The challenge of a verification is good for a sign-in.",
    "state.purpose-sign-in-as-reverify": "The challenge of a sign-in is good for a verification.",
    "state.purpose-addition-as-registration": "The challenge of an added passkey is good for a registration.",
    "state.reverify-session": "A verification can be finished in another session.",
    "state.addition-session": "Adding a passkey can be finished in another session.",
    "state.step-up-session": "A step-up can be finished in another session.",
  ])
}

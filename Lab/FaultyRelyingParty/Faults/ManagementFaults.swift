// SPDX-License-Identifier: Apache-2.0

extension RelyingPartyFault {
  static let management = list([
    "management.read-foreign": "A passkey of another account can be read.",
    "management.rename-foreign": "A passkey of another account can be renamed.",
    "management.delete-foreign": "A passkey of another account can be deleted.",
    "management.list-own": "The list of passkeys has those of all accounts.",
    "management.last-passkey": "The last passkey is deleted without a warning.",
    "management.deleted-passkey": "A deleted passkey is hidden and still signs in.",
    "management.delete-ends-sessions": "Sessions of a deleted passkey stay open.",
    "management.name-control": "A passkey's name can have control characters.",
    "management.name-bidi": "A passkey's name can have characters that reverse the text around them.",
    "management.name-long": "A passkey's name can be long.",
    "management.add-without-session": "Anyone can begin to add a passkey to the account that signed in last.",
    "management.add-finish-without-session": "Anyone can finish to add a passkey to the account that signed in last.",
    "management.excluded-passkey": "A passkey of the account is replaced by one with the same credential ID.",
    "management.exclude-credentials": "The options for another passkey do not exclude the account's passkeys.",
    "management.user-handle-stable": "The options for another passkey have another user handle.",
    "management.user-handle-opaque": "The user handle is the address.",
    "management.export-without-session": "The account that signed in last is exported to anyone.",
    "management.export-secrets": "An export has the tokens of the sessions.",
    "management.erase-ends-sessions": "Sessions of an erased account stay open.",
    "management.erase-passkeys": "Passkeys of an erased account still sign in.",
  ])
}

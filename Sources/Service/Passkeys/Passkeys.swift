// SPDX-License-Identifier: Apache-2.0

// One import for a server: the relying party, the sign-in service, its stores and its endpoints.
// Without the service, import WebAuthnRelyingParty, which needs no C library but OpenSSL.

@_exported public import PasskeyCOSE
@_exported public import PasskeyCrypto
@_exported public import PasskeyFormats
@_exported public import PasskeyHTTP
@_exported public import PasskeyProfiles
@_exported public import PasskeyService
@_exported public import PasskeyStorage
@_exported public import PasskeySQLite
@_exported public import WebAuthnAttestation
@_exported public import WebAuthnFoundation
@_exported public import WebAuthnRelyingParty
@_exported public import WebAuthnTypes

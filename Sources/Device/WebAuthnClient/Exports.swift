// SPDX-License-Identifier: Apache-2.0

// The types of these modules stand in public signatures of this one, so their callers need one import.

@_exported public import CTAPTypes
@_exported public import PasskeyCOSE
@_exported public import PasskeyCrypto
@_exported public import PasskeyFormats
@_exported public import PasskeyProfiles
@_exported public import WebAuthnBrowser
@_exported public import WebAuthnTypes

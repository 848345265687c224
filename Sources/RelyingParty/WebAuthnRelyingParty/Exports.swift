// SPDX-License-Identifier: Apache-2.0

// The ceremonies take and return these modules' types, so their callers need one import.

@_exported public import PasskeyFormats
@_exported public import WebAuthnTypes

// SPDX-License-Identifier: Apache-2.0

// Types of the signatures, so that callers need one import.
@_exported public import PasskeyStorage

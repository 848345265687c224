// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes
internal import WireFormats

// CTAP 2.3, §6.9, authenticatorSelection.

extension SoftwareAuthenticator {
  /// Waits for a touch that selects this device among several.
  func select() async throws(CTAPError) -> Bytes {
    try await requirePresence(for: InteractionPurpose(.selectDevice), timedOut: .userActionTimeout)
    return []
  }
}

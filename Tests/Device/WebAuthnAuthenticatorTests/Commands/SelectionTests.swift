// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

/// CTAP 2.3 §6.9.
struct SelectionTests {
  @Test(arguments: [
    (PresenceAnswer.confirmed, CTAPStatus.success), (.refused, .operationDenied), (.timedOut, .userActionTimeout),
    (.cancelled, .keepaliveCancel),
  ])
  func `a touch selects the device`(answer: PresenceAnswer, expected: CTAPStatus) async throws {
    let device = try TestDevice()
    device.user.willGive(presences: answer)
    #expect(await device.platform().status(.selection) == expected)
    #expect(device.user.asked == [InteractionPurpose(.selectDevice)])
  }
}

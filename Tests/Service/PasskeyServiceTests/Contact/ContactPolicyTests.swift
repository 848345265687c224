// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyStorage
import Testing
import WebAuthnTypes

@testable import PasskeyService

struct ContactPolicyTests {
  private func fault(
    _ events: [String] = ["email.*", "account.*"], _ change: (inout ServicePolicy.Contact) -> Void
  ) -> String? {
    var policy = ServicePolicy()
    policy.destinations = [NoticeDestination(ServiceWorld.mail, events: events)]
    change(&policy.contact)
    return policy.fault
  }

  @Test func `a policy without mail is refused if it needs mail`() {
    for verification in [ServicePolicy.Contact.EmailVerification.required, .beforeFirstUse] {
      #expect(fault(["account.*"]) { $0.verification = verification }?.contains("email.verification-requested") == true)
      #expect(fault { $0.verification = verification } == nil)
    }
    #expect(fault(["email.*"]) { $0.recovery = .email(waiting: .zero) }?.contains("recovery-requested") == true)
    #expect(fault { $0.recovery = .email(waiting: .zero) } == nil)
    #expect(fault([]) { _ in } == nil)
  }

  @Test func `invalid limits are refused`() {
    #expect(fault { $0.codeLifetime = .milliseconds(999) } != nil)
    #expect(fault { $0.codeAttempts = 0 } != nil)
    #expect(fault { $0.mailsPerRecipient = 0 } != nil)
    #expect(fault { $0.recovery = .email(waiting: .seconds(-1)) } != nil)
  }
}

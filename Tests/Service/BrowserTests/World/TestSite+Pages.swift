// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyHTTP
import PasskeyPages
import PasskeyService
import WebAuthnTypes

extension TestSite.Settings {
  /// Serves the pages, and an order that requires a confirmation.
  mutating func servePages(replacing files: [String: [UInt8]] = [:], embeddingOrigins: [WebOrigin] = []) {
    routes = { (endpoints) in
      try SitePages(for: endpoints, replacing: files, embeddingOrigins: embeddingOrigins, showsFaults: true).routes + [
        EndpointRoute(.post, "/api/orders") { (request) in
          let session = try await endpoints.authenticate(request)
          let spent = try await endpoints.spendConfirmation(of: request, by: session)
          return EndpointResponse.json { (object: inout JSONObjectWriter) in object.write("by", spent.account.name) }
        }
      ]
    }
  }

  /// Writes notices for mails, which a test takes with ``TestSite/takeMail(_:)``.
  mutating func sendMails(
    _ verification: ServicePolicy.Contact.EmailVerification = .off,
    recovery: ServicePolicy.Contact.EmailRecovery = .administrator
  ) {
    let own = policy
    policy = {
      own(&$0)
      TestSite.mailing(&$0, verification, recovery: recovery)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyPages
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport

@testable import Raptor

extension TestSite {
  /// Starts the example back end with its page, in a database of its own, and a browser that knows it.
  static func runRaptor(_ body: (TestSite, Browser) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open("\(folder.path)/raptor.sqlite", embedded: Book.tables)
    do {
      try await run({
        $0.storage = storage
        $0.routes = { (endpoints) in
          try SitePages(for: endpoints, adding: [.portfolio]).routes + TradingFloor(endpoints).routes
        }
      }) { (site, browser) in
        try await site.service.claimStore(at: UnixTime(secondsSince1970: 1_800_000_000))
        try await body(site, browser)
      }
      await storage.close()
    } catch {
      await storage.close()
      throw error
    }
  }
}

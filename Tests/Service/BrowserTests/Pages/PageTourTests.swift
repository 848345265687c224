// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Every part of the pages, as all people see it: names and roles, contrast, sizes, narrow screens and languages. The tour leaves
/// pictures in `.build/screenshots`, which `Scripts/docs --screenshots` puts into the documentation.
@Suite(.tags(.browser)) struct PageTourTests {
  @Test(arguments: [320, 1200])
  func `every part has names, contrast, and room on a narrow screen, and has a picture in both themes`(
    width: Int
  ) async throws {
    try await TestSite.run(Visitor.prepareTour) { (site, browser) in
      let ada = try await Visitor.open("/?language=en", in: browser)
      try await ada.page.resize(width: width, height: 800)
      try await ada.tour(site, browser) { (place) in
        for isDark in [true, false] {
          try await ada.page.setMedia(isDark: isDark)
          let name = "\(place) \(width) \(isDark ? "dark" : "light")"
          // The themes differ in colors only.
          if isDark {
            try await ada.expectNoFaults(name)
          } else {
            try await ada.expectAccess(name)
          }
          guard !["faults-in-full", "confirm-in-full"].contains(place) else { continue }
          try await ada.page.takePicture(place, width: width, isDark: isDark, isWhole: !place.hasPrefix("dialog"))
        }
      }
      ada.expectOrder()
    }
  }

  @Test(arguments: [
    ("Deutsch", "de", "Bei Raxx anmelden"), ("Français", "fr", "Se connecter à Raxx"),
    ("Español", "es", "Iniciar sesión en Raxx"),
  ])
  func `every text of the pages is in the language that people choose`(
    name: String, language: String, heading: String
  ) async throws {
    try await TestSite.run(Visitor.prepareTour) { (site, browser) in
      let ada = try await Visitor.open("/", in: browser)
      try await ada.page.resize(width: 320, height: 800)
      try await ada.press(name)
      try await ada.wait("the page in \(name)") { "document.documentElement?.lang === \(quoted(language))" }
      #expect(try await ada.headings() == [heading])
      try await ada.tour(site, browser) { (place) in
        #expect(try await ada.page.text("return document.documentElement.lang") == language)
        try await ada.expectNoFaults("\(place) in \(name)")
        if place != "faults-in-full" {
          let isWhole = !place.hasPrefix("dialog")
          try await ada.page.takePicture("\(place)-\(language)", width: 320, isDark: false, isWhole: isWhole)
        }
        let text = try await ada.page.text("return document.body.innerText")
        for word in [" the ", "Sign ", "Passkey is ", "Last ", "Remove", "Account", "Loading"] {
          #expect(!text.contains(word), "\(place): \(word)")
        }
      }
      guard language == "de" else { return }
      try await ada.open("/account")
      try await ada.arrive(at: "/account")
      try await ada.page.intercept("https://raxx.app/api/auth/credentials/*") { (_) in .fail }
      try await ada.press("Ada’s laptop umbenennen")
      try await ada.fill("Neuer Name", "Rechner")
      try await ada.press("Speichern")
      #expect(try await ada.problem().hasPrefix("Der Server antwortet nicht."))
      try await ada.page.endInterceptions()
    }
  }
}

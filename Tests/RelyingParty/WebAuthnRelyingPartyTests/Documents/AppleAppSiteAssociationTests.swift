// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnRelyingParty

@Suite struct AppleAppSiteAssociationTests {
  @Test func `it is written as the system reads it`() throws {
    let document = AppleAppSiteAssociation(applications: [
      try AppleAppSiteAssociation.Application(teamID: "A1B2C3D4E5", bundleID: "app.raxx.ios"),
      try AppleAppSiteAssociation.Application(teamID: "A1B2C3D4E5", bundleID: "app.Raxx-2.mac"),
    ])
    #expect(
      String(decoding: document.json, as: UTF8.self)
        == #"{"webcredentials":{"apps":["A1B2C3D4E5.app.raxx.ios","A1B2C3D4E5.app.Raxx-2.mac"]}}"#)
  }

  @Test(arguments: ["", "A1B2C3D4E", "A1B2C3D4E55", "a1b2c3d4e5", "A1B2C3D4É", "A1B2C3D4E."])
  func `an invalid team id is refused`(team: String) {
    expectFailure(.documentApplicationInvalid, step: nil) {
      try AppleAppSiteAssociation.Application(teamID: team, bundleID: "app.raxx.ios")
    }
  }

  @Test(arguments: ["", ".", "app..raxx", "app.raxx.", "app raxx", "app_raxx", "app.räxx", "*", "app.raxx\""])
  func `an invalid bundle id is refused`(bundle: String) {
    expectFailure(.documentApplicationInvalid, step: nil) {
      try AppleAppSiteAssociation.Application(teamID: "A1B2C3D4E5", bundleID: bundle)
    }
  }

  @Test func `a bundle id has a maximum length`() throws {
    let longest = String(repeating: "a", count: 155)
    #expect(try AppleAppSiteAssociation.Application(teamID: "A1B2C3D4E5", bundleID: longest).bundleID == longest)
    expectFailure(.documentApplicationInvalid, step: nil) {
      try AppleAppSiteAssociation.Application(teamID: "A1B2C3D4E5", bundleID: longest + "a")
    }
  }
}

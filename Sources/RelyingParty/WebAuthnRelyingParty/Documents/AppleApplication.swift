// SPDX-License-Identifier: Apache-2.0

// identifier = team "." bundle
// team       = 10 uppercase letters and digits, assigned by Apple
// bundle     = 1*155( letter / digit / "-" / "." )        CFBundleIdentifier

extension AppleAppSiteAssociation {
  /// An application for an Apple platform, with the identifier that the system uses for web sites.
  public struct Application: Hashable, Sendable {
    /// The ID of the team that signs the application.
    package let teamID: String

    /// The bundle ID.
    package let bundleID: String

    /// The application identifier: team ID and bundle ID, such as `A1B2C3D4E5.app.raxx.ios`.
    package var identifier: String { "\(teamID).\(bundleID)" }

    private static let teamIDByteCount = 10
    private static let maximumBundleIDByteCount = 155

    /// Creates an application.
    ///
    /// - Throws: `document.application-invalid` for a malformed team or bundle ID.
    public init(teamID: String, bundleID: String) throws(CeremonyError) {
      guard teamID.utf8.count == Self.teamIDByteCount, teamID.utf8.allSatisfy(Self.isTeamByte) else {
        throw CeremonyError(.documentApplicationInvalid, .init("a team of 10 capital letters and digits", teamID))
      }
      let labels = bundleID.split(separator: ".", omittingEmptySubsequences: false)
      guard bundleID.utf8.count <= Self.maximumBundleIDByteCount, labels.allSatisfy({ !$0.isEmpty }),
        labels.joined().utf8.allSatisfy(Self.isBundleByte)
      else {
        throw CeremonyError(
          .documentApplicationInvalid, .init("a bundle of letters, digits and hyphens between periods", bundleID))
      }
      self.teamID = teamID
      self.bundleID = bundleID
    }

    private static func isTeamByte(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: false
      }
    }

    private static func isBundleByte(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"): true
      default: isTeamByte(byte)
      }
    }
  }
}

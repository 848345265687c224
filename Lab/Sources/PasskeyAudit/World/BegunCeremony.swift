// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyProfiles
package import WebAuthnClient

/// A ceremony that the server has begun.
package struct BegunCeremony: Sendable {
  /// The endpoint that finishes it.
  package var finish: EndpointName
  package var name: String?
  package let reply: ServerReply
  /// The options, without the member `publicKey` around them.
  package let options: JSONValue
  package let challenge: [UInt8]
  /// The cookies that bind the ceremony to its client.
  package var cookies: CookieJar
  /// The values to send back when the ceremony is finished.
  var kept: KeptValues = [:]
  /// The sign-up code with which a registration was begun.
  var invitation: String?
  /// The person in whose session the ceremony was begun.
  package var person: Person?

  /// The time-out of the options; nil without one, and for one that no server means.
  package var timeout: Duration? {
    guard let number = (try? options["timeout"]?.double) ?? nil,
      let milliseconds = Int64(exactly: number.rounded()), 0...Self.maximumTimeout ~= milliseconds
    else { return nil }
    return .milliseconds(milliseconds)
  }

  // 1 day  [a ceremony takes minutes]
  private static let maximumTimeout: Int64 = 86_400_000

  /// The RP ID of the options.
  package var relyingPartyID: String? {
    let own = (try? options["rpId"]?.string) ?? nil
    return own ?? ((try? options["rp"]?["id"]?.string) ?? nil)
  }

  /// The user handle in the options of a registration.
  package var userHandle: [UInt8]? { (try? options["user"]?["id"]?.base64URL) ?? nil }

  /// The entries of `allowCredentials` or `excludeCredentials`.
  var listedPasskeys: [ListedPasskey] {
    for name in ["allowCredentials", "excludeCredentials"] {
      guard let list = (try? options[name]?.array) ?? nil else { continue }
      return list.compactMap { ListedPasskey($0) }
    }
    return []
  }

  /// The IDs in `allowCredentials` or `excludeCredentials`.
  package var credentialIDs: [[UInt8]] { listedPasskeys.map(\.id) }

  /// The COSE algorithms of a registration's options.
  package var algorithms: [Int64] {
    guard let list = (try? options["pubKeyCredParams"]?.array) ?? nil else { return [] }
    return list.compactMap { (entry) in try? entry["alg"]?.int64 }
  }

  /// Returns a member of `authenticatorSelection`.
  func selection(_ name: String) -> String? { (try? options["authenticatorSelection"]?[name]?.string) ?? nil }

  /// Whether the options ask for the properties of the new passkey.
  var asksForProperties: Bool { (try? options["extensions"]?["credProps"]?.bool) == true }

  /// The value of `userVerification`.
  package var userVerification: String? {
    let own = (try? options["userVerification"]?.string) ?? nil
    return own ?? selection("userVerification")
  }
}

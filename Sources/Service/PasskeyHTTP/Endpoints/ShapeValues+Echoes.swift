// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles

// Some APIs return an ID with the options of a ceremony, which the client sends back. Ours seals the ceremony into the
// challenge, so the ID is derived from the challenge and needs no memory. A request without it is accepted.

extension ShapeValues {
  /// Returns the values with those that a client sends back, for the options among them.
  func withEchoes(for names: Set<KeptName>) -> ShapeValues {
    guard case .encoded(let options)? = self[.options],
      let challenge = try? JSON.parse(options, maximumSize: options.count).require("challenge").string
    else { return self }
    var values = self
    for name in names { values.kept[name] = .text(Self.echo(name, challenge)) }
    return values
  }

  /// Throws if a value that the client sends back belongs to another ceremony than the response of its authenticator.
  ///
  /// - Throws: `http.body-invalid-member`.
  func requireEchoes(of shape: Shape) throws(EndpointError) {
    // Malformed client data has its own error later.
    guard let challenge = statedChallenge else { return }
    for (name, value) in kept where value.flatText != Self.echo(name, challenge) {
      throw EndpointError(.bodyInvalidMember, member: shape.requiredKeptNames[name])
    }
  }

  /// The challenge in the client data of the authenticator's response, in base64url.
  private var statedChallenge: String? {
    guard let encoded = try? object(.credential)?["response"]?["clientDataJSON"],
      let data = (try? encoded.base64URL) ?? (try? encoded.base64Leniently)
    else { return nil }
    return try? JSON.parse(data, maximumSize: data.count).require("challenge").string
  }

  // 16 bytes  [the form of a random identifier]
  private static let echoByteCount = 16

  private static func echo(_ name: KeptName, _ challenge: String) -> String {
    Base64URL.encode(Digest.sha256(Array("\(name.name) \(challenge)".utf8)).prefix(echoByteCount))
  }
}

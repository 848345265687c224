// SPDX-License-Identifier: Apache-2.0

/// What a client says of the extension `prf` (WebAuthn §10.1.4).
public struct PRFOutputs: Hashable, Sendable {
  /// Whether the new credential has such a function. Said at a registration only.
  public var isEnabled: Bool?

  /// What it gave, 32 bytes for each input: at a sign-in, and at a registration where the authenticator can. A page may
  /// keep them back from its server, and does if they are keys.
  public var results: PRFValues?

  /// Takes what is said.
  public init(isEnabled: Bool? = nil, results: PRFValues? = nil) {
    self.isEnabled = isEnabled
    self.results = results
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    isEnabled = try members.boolIfPresent("enabled")
    results = if let values = try members.objectIfPresent("results") { try PRFValues(results: values) } else { nil }
  }

  /// What is said, as JSON has it.
  public var value: ExtensionValue {
    .object(ofPresent: ["enabled": isEnabled.map { .bool($0) }, "results": results?.value])
  }
}

extension PRFOutputs: CustomStringConvertible {
  /// In words, and without the results.
  public var description: String {
    let parts = [isEnabled.map { $0 ? "enabled" : "not enabled" }, results.map { "\($0)" }].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}

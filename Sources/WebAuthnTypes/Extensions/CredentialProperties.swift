// SPDX-License-Identifier: Apache-2.0

/// What a client knows of a new credential, from the extension `credProps` (WebAuthn §10.1.3).
public struct CredentialProperties: Hashable, Sendable {
  /// Whether the credential is discoverable. Nil means that the client cannot tell, and most likely that it is not.
  public var isDiscoverable: Bool?

  /// Takes what is known.
  public init(isDiscoverable: Bool? = nil) {
    self.isDiscoverable = isDiscoverable
  }

  init(_ members: ExtensionMembers) throws(FormatError) {
    isDiscoverable = try members.boolIfPresent("rk")
  }

  /// What is known, as JSON has it.
  public var value: ExtensionValue {
    .object(ofPresent: ["rk": isDiscoverable.map { .bool($0) }])
  }
}

extension CredentialProperties: CustomStringConvertible {
  /// In words.
  public var description: String {
    switch isDiscoverable {
    case true?: "discoverable"
    case false?: "not discoverable"
    case nil: "nothing"
    }
  }
}

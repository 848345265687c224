// SPDX-License-Identifier: Apache-2.0

extension AccountSession {
  /// The browser and the system of a client, without versions, so that its user recognizes a session.
  ///
  /// It is what the client says of itself, and so it is for display only.
  public struct ClientSoftware: Hashable, Sendable {
    /// The name of the browser, such as `Firefox`; nil if it is not known.
    public let browser: String?

    /// The name of the system, such as `Linux`; nil if it is not known.
    public let system: String?

    /// Creates the names of a browser and a system. Returns nil without either.
    public init?(browser: String?, system: String?) {
      guard browser != nil || system != nil else { return nil }
      self.browser = browser
      self.system = system
    }

    /// The names for a passkey that was created with this software.
    var text: String { [browser, system].compactMap(\.self).joined(separator: ", ") }
  }
}

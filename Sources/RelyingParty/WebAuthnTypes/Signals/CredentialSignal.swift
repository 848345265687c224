// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A message that a page passes to a function of `PublicKeyCredential`, so that devices stop offering deleted passkeys or
/// show the current names (WebAuthn §5.1.10).
public struct CredentialSignal: Hashable, Encodable, Sendable {
  /// The signal as JSON text.
  public let json: [UInt8]

  /// Wraps a signal.
  package init(_ signal: some JSONRepresentable) {
    json = signal.json
  }

  /// Encodes the content of ``json`` with any encoder.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    try ExtensionValue(JSON.parse(json, maximumSize: .max)).encode(to: encoder)
  }
}

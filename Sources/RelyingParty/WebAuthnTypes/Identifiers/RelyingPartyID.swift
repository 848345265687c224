// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The scope of a relying party's credentials (WebAuthn §4): a lowercase domain, such as `raxx.app` or `localhost`.
///
/// Other scripts use the `xn--` form. IP addresses are invalid. Public suffixes such as `com` are accepted here,
/// because this module has no public suffix list; every client rejects them.
public struct RelyingPartyID: Hashable, Sendable {
  /// The domain.
  public let text: String

  /// Parses a domain.
  ///
  /// - Throws: `relying-party-id.invalid`.
  public init(_ text: String) throws(FormatError) {
    let name = Bytes(text.utf8)
    if let fault = DomainName.firstFault(in: name, allowingUnderscores: false) {
      throw FormatError(.relyingPartyIDInvalid, at: fault)
    }
    guard !DomainName.endsInNumber(name) else { throw FormatError(.relyingPartyIDInvalid, at: name.startIndex) }
    self.text = text
  }
}

extension RelyingPartyID: CustomStringConvertible {
  /// The domain.
  public var description: String { text }
}

extension RelyingPartyID: Codable {
  /// Reads a string.
  ///
  /// - Throws: A `DecodingError` with a ``FormatError`` as its underlying error, or an error of the decoder.
  public init(from decoder: any Decoder) throws {
    self = try decoder.readText(Self.init)
  }

  /// Writes a string.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

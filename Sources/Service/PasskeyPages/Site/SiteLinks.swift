// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Links to the parts of the sign-in page on which codes are entered, with the fields filled in.
///
/// The values are in the fragment, which browsers send to no server, and which the page removes from the address at once.
public struct SiteLinks: Hashable, Sendable {
  private let page: String

  /// Creates the links of a site.
  ///
  /// - Parameter origin: The origin of the pages, such as `https://raxx.app`.
  public init(origin: String) {
    page = "\(origin)/"
  }

  /// Returns the page on which an account is created with an invitation. Without an address, the person enters one.
  public func invitation(_ code: String, for email: String?) -> String {
    link("create", [("email", email), ("code", code)])
  }

  /// Returns the page on which an address is verified. It needs the browser in which the verification began.
  public func verification(_ code: String) -> String { link("verify", [("code", code)]) }

  /// Returns the page on which an account is recovered.
  public func recovery(_ code: String, of email: String) -> String {
    link("recover", [("email", email), ("code", code)])
  }

  /// Returns the page on which a recovery is cancelled.
  public func cancellation(_ code: String) -> String { link("recover", [("cancel", code)]) }

  private func link(_ part: String, _ values: [(name: String, value: String?)]) -> String {
    let fields = values.compactMap { (name, value) in value.map { "\(name)=\($0.percentEncoded)" } }
    return "\(page)#\(part)?\(fields.joined(separator: "&"))"
  }
}

extension String {
  /// The text with every byte but letters, digits, `-`, `.`, `_` and `~` percent-encoded (RFC 3986 §2.3).
  fileprivate var percentEncoded: String {
    utf8.map { (byte) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: "%" + Hex.encode([byte]).uppercased()
      }
    }.joined()
  }
}

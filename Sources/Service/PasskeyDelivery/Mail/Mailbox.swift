// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// An email address with a display name, as in the fields From and To.
public struct Mailbox: Hashable, Sendable {
  /// The address.
  public let address: EmailAddress

  /// The display name, or nil for none.
  public let name: String?

  /// Creates a mailbox.
  ///
  /// - Throws: `mail.sender-invalid` if the name is empty, has control characters or has more than 100 bytes.
  public init(_ address: EmailAddress, name: String? = nil) throws(DeliveryError) {
    if let name {
      guard 1...100 ~= name.utf8.count, !name.unicodeScalars.contains(where: MailText.isControl) else {
        throw DeliveryError(.senderInvalid, "use a display name in one line of at most 100 bytes")
      }
    }
    self.address = address
    self.name = name
  }

  /// Parses `ada@raxx.app` or `Raxx <no-reply@raxx.app>`.
  ///
  /// - Throws: `mail.sender-invalid`.
  public init(_ text: String) throws(DeliveryError) {
    var address = text
    var name: String?
    if text.last == ">", let start = text.lastIndex(of: "<") {
      address = String(text[text.index(after: start)...].dropLast())
      let words = text[..<start].split(separator: " ").joined(separator: " ")
      if !words.isEmpty { name = words }
    }
    guard let parsed = try? EmailAddress(address) else {
      throw DeliveryError(.senderInvalid, "use an address such as no-reply@raxx.app, or Raxx <no-reply@raxx.app>")
    }
    try self.init(parsed, name: name)
  }

  /// The part of the address after the @.
  var domain: String {
    String(address.text[address.text.index(after: address.text.lastIndex(of: "@") ?? address.text.startIndex)...])
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The logo of somebody who has a hand in a payment (Secure Payment Confirmation, `PaymentEntityLogo`).
public struct PaymentEntityLogo: Sendable {
  /// The URL of the picture. A client says an empty one where the picture could not be shown.
  public let url: String

  /// The name.
  public let label: String

  /// Takes a picture and a name.
  public init(url: String, label: String) {
    self.url = url
    self.label = label
  }
}

extension PaymentEntityLogo: Hashable {
  /// Whether both are written with the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.url.utf8.elementsEqual(right.url.utf8) && left.label.utf8.elementsEqual(right.label.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in url.utf8 { hasher.combine(byte) }
    for byte in label.utf8 { hasher.combine(byte) }
  }
}

extension PaymentEntityLogo: CustomStringConvertible {
  /// The name.
  public var description: String { label }
}

extension PaymentEntityLogo {
  init<Reader: MemberReader>(_ members: Reader) throws(Reader.Failure) {
    self.init(url: try members.text("url"), label: try members.text("label"))
  }

  func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("url", text: url)
    try writer.write("label", text: label)
  }
}

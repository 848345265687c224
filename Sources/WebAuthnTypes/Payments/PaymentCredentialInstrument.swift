// SPDX-License-Identifier: Apache-2.0

/// With what somebody pays, as it is shown to them (Secure Payment Confirmation, `PaymentCredentialInstrument`).
public struct PaymentCredentialInstrument: Sendable {
  /// Its name.
  public let displayName: String

  /// The URL of its picture. A data URL proves what was shown; one that points somewhere does not.
  public let icon: String

  /// Whether there is to be no payment without the picture.
  public let iconMustBeShown: Bool

  /// What else is to be shown of it.
  public let details: String?

  /// Takes what is to be shown.
  public init(displayName: String, icon: String, iconMustBeShown: Bool = true, details: String? = nil) {
    self.displayName = displayName
    self.icon = icon
    self.iconMustBeShown = iconMustBeShown
    self.details = details
  }
}

extension PaymentCredentialInstrument: Hashable {
  /// Whether both are written with the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.displayName.utf8.elementsEqual(right.displayName.utf8) && left.icon.utf8.elementsEqual(right.icon.utf8)
      && left.iconMustBeShown == right.iconMustBeShown && PaymentText.isSame(left.details, right.details)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in displayName.utf8 { hasher.combine(byte) }
    for byte in icon.utf8 { hasher.combine(byte) }
  }
}

extension PaymentCredentialInstrument: CustomStringConvertible {
  /// The name and the details.
  public var description: String { details.map { "\(displayName) (\($0))" } ?? displayName }
}

extension PaymentCredentialInstrument {
  init<Reader: MemberReader>(_ members: Reader) throws(Reader.Failure) {
    self.init(
      displayName: try members.text("displayName"), icon: try members.text("icon"),
      iconMustBeShown: try members.boolIfPresent("iconMustBeShown") ?? true,
      details: try members.textIfPresent("details"))
  }

  func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("displayName", text: displayName)
    try writer.write("icon", text: icon)
    try writer.write("iconMustBeShown", bool: iconMustBeShown)
    try writer.writeIfPresent("details", text: details)
  }
}

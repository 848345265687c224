// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The payment instrument as displayed to the user (Secure Payment Confirmation, `PaymentCredentialInstrument`).
package struct PaymentCredentialInstrument: Sendable {
  /// The displayed name.
  package let displayName: String

  /// The icon's URL. Only a data URL proves which icon was displayed.
  package let icon: String

  /// Whether the payment must fail if the icon cannot be displayed.
  package let iconMustBeShown: Bool

  /// Further details to display, if any.
  package let details: String?

  /// Creates an instrument.
  package init(displayName: String, icon: String, iconMustBeShown: Bool = true, details: String? = nil) {
    self.displayName = displayName
    self.icon = icon
    self.iconMustBeShown = iconMustBeShown
    self.details = details
  }
}

extension PaymentCredentialInstrument: Hashable {
  /// Whether all members have the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    left.displayName.utf8.elementsEqual(right.displayName.utf8) && left.icon.utf8.elementsEqual(right.icon.utf8)
      && left.iconMustBeShown == right.iconMustBeShown && PaymentText.isSame(left.details, right.details)
  }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) {
    for byte in displayName.utf8 { hasher.combine(byte) }
    for byte in icon.utf8 { hasher.combine(byte) }
  }
}

extension PaymentCredentialInstrument: CustomStringConvertible {
  /// The name and the details.
  package var description: String { details.map { "\(displayName) (\($0))" } ?? displayName }
}

extension PaymentCredentialInstrument {
  init(_ members: JSONMemberReader) throws(FormatError) {
    self.init(
      displayName: try members.text("displayName"), icon: try members.text("icon"),
      iconMustBeShown: try members.boolIfPresent("iconMustBeShown") ?? true,
      details: try members.textIfPresent("details"))
  }

  func write(into writer: inout JSONObjectWriter) {
    writer.write("displayName", displayName)
    writer.write("icon", icon)
    writer.write("iconMustBeShown", .bool(iconMustBeShown))
    writer.writeIfPresent("details", text: details)
  }
}

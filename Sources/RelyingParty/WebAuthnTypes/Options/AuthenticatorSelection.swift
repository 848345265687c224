// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The required properties of an authenticator (`AuthenticatorSelectionCriteria`, WebAuthn §5.4.4).
package struct AuthenticatorSelection: Hashable, Sendable {
  /// The required attachment; nil accepts both.
  package var authenticatorAttachment: AuthenticatorAttachment?

  /// Whether the credential must be discoverable.
  package var residentKey: ResidentKeyRequirement

  /// Whether the authenticator must verify the user.
  package var userVerification: UserVerificationRequirement

  /// Creates criteria. The defaults are the standard's.
  package init(
    authenticatorAttachment: AuthenticatorAttachment? = nil, residentKey: ResidentKeyRequirement = .discouraged,
    userVerification: UserVerificationRequirement = .preferred
  ) {
    self.authenticatorAttachment = authenticatorAttachment
    self.residentKey = residentKey
    self.userVerification = userVerification
  }

  init<Reader: MessageReader>(_ members: Reader) throws(Reader.Failure) {
    authenticatorAttachment = try members.nameIfPresent("authenticatorAttachment")
    // §5.4.4: without a known value of `residentKey`, the Boolean of Level 1 decides.
    let named: ResidentKeyRequirement? = try members.nameIfPresent("residentKey")
    let isKnown = named.map { (named) in [.required, .preferred, .discouraged].contains(named) } ?? false
    let requireResidentKey = try members.boolIfPresent("requireResidentKey") ?? false
    residentKey = requireResidentKey && !isKnown ? .required : named ?? .discouraged
    userVerification = try members.nameIfPresent("userVerification") ?? .preferred
  }

  func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.writeIfPresent("authenticatorAttachment", text: authenticatorAttachment?.rawValue)
    try writer.write("residentKey", text: residentKey.rawValue)
    // For clients of Level 1: true only for `required`.
    try writer.write("requireResidentKey", bool: residentKey == .required)
    try writer.write("userVerification", text: userVerification.rawValue)
  }
}

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

  init(_ members: JSONMemberReader) throws(FormatError) {
    authenticatorAttachment = try members.nameIfPresent("authenticatorAttachment")
    // §5.4.4: without a known value of `residentKey`, the Boolean of Level 1 decides.
    let named: ResidentKeyRequirement? = try members.nameIfPresent("residentKey")
    let isKnown = named.map { named in [.required, .preferred, .discouraged].contains(named) } ?? false
    let requireResidentKey = try members.boolIfPresent("requireResidentKey") ?? false
    residentKey = requireResidentKey && !isKnown ? .required : named ?? .discouraged
    userVerification = try members.nameIfPresent("userVerification") ?? .preferred
  }

  func write(into writer: inout JSONObjectWriter) {
    writer.writeIfPresent("authenticatorAttachment", text: authenticatorAttachment?.rawValue)
    writer.write("residentKey", residentKey.rawValue)
    // For clients of Level 1: true only for `required`.
    writer.write("requireResidentKey", .bool(residentKey == .required))
    writer.write("userVerification", userVerification.rawValue)
  }
}

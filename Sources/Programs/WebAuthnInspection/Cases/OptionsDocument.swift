// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnRelyingParty
package import WebAuthnTypes

/// The options of a ceremony as a server sent them: alone, or as the member `publicKey` of the argument of
/// `navigator.credentials`.
package struct OptionsDocument: Sendable {
  /// The options alone, as JSON text.
  package let options: Bytes

  /// How the page is to call `navigator.credentials.create()`.
  package let mediation: RelyingParty.RegistrationMediation

  /// The ceremony that the options are for; nil if they have the members of neither.
  package let ceremony: VerificationCase.Ceremony?

  /// Parses a document, with or without a byte order mark. The options themselves are not validated.
  ///
  /// - Throws: `options.malformed` if the document is not a JSON object.
  package init(json: Bytes) throws(FormatError) {
    let text = JSON.withoutByteOrderMark(json)
    do throws(WireError) {
      let whole = try JSON.parse(text)
      let wrapped = try whole["publicKey"]?.unlessNull
      let options = wrapped ?? whole
      self.options = wrapped?.encoded ?? text
      mediation = try whole["mediation"]?.unlessNull?.string == "conditional" ? .conditional : .modal
      if try options["pubKeyCredParams"] != nil {
        ceremony = .registration
      } else if try options["rp"] != nil {
        ceremony = .registration
      } else {
        ceremony = try options["challenge"] != nil ? .authentication : nil
      }
    } catch {
      throw FormatError(.optionsMalformed, error)
    }
  }

  /// Parses a document, with or without a byte order mark. The options themselves are not validated.
  ///
  /// - Throws: `options.malformed` if the document is not a JSON object.
  @inlinable
  package init(json: some Collection<UInt8>) throws(FormatError) {
    try self.init(json: Bytes(json))
  }
}

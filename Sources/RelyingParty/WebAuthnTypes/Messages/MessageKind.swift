// SPDX-License-Identifier: Apache-2.0

/// The kind of a message: the error codes that its readers throw.
package struct MessageKind: Sendable {
  /// The bytes are not an object of the message's format.
  let malformed: FormatError.Code

  /// A required member is absent.
  let missingMember: FormatError.Code

  /// A member has the wrong type or form.
  let invalidMember: FormatError.Code
}

extension MessageKind {
  static let registrationResponse = Self(
    malformed: .registrationResponseMalformed, missingMember: .registrationResponseMissingMember,
    invalidMember: .registrationResponseInvalidMember)

  static let authenticationResponse = Self(
    malformed: .authenticationResponseMalformed, missingMember: .authenticationResponseMissingMember,
    invalidMember: .authenticationResponseInvalidMember)

  static let options = Self(
    malformed: .optionsMalformed, missingMember: .optionsMissingMember, invalidMember: .optionsInvalidMember)

  static let signal = Self(
    malformed: .signalMalformed, missingMember: .signalMissingMember, invalidMember: .signalInvalidMember)

  static let clientData = Self(
    malformed: .clientDataMalformed, missingMember: .clientDataMissingMember, invalidMember: .clientDataInvalidMember)

  static let attestationObject = Self(
    malformed: .attestationObjectMalformed, missingMember: .attestationObjectMissingMember,
    invalidMember: .attestationObjectInvalidMember)

  /// The reply of an authenticator to a CTAP command.
  package static let commandReply = Self(
    malformed: .commandReplyMalformed, missingMember: .commandReplyMissingMember,
    invalidMember: .commandReplyInvalidMember)
}

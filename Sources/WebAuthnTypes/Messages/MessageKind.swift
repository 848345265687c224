// SPDX-License-Identifier: Apache-2.0

/// The kind of a JSON message, which selects the codes of its errors.
enum MessageKind {
  case registrationResponse
  case authenticationResponse
  case options
  case signal
  case clientData

  /// The text is not a JSON object.
  var malformed: FormatError.Code {
    switch self {
    case .registrationResponse: .registrationResponseMalformed
    case .authenticationResponse: .authenticationResponseMalformed
    case .options: .optionsMalformed
    case .signal: .signalMalformed
    case .clientData: .clientDataMalformed
    }
  }

  /// A required member is absent or null.
  var missingMember: FormatError.Code {
    switch self {
    case .registrationResponse: .registrationResponseMissingMember
    case .authenticationResponse: .authenticationResponseMissingMember
    case .options: .optionsMissingMember
    case .signal: .signalMissingMember
    case .clientData: .clientDataMissingMember
    }
  }

  /// A member has the wrong type or form.
  var invalidMember: FormatError.Code {
    switch self {
    case .registrationResponse: .registrationResponseInvalidMember
    case .authenticationResponse: .authenticationResponseInvalidMember
    case .options: .optionsInvalidMember
    case .signal: .signalInvalidMember
    case .clientData: .clientDataInvalidMember
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What a JSON text should be, which gives its faults their codes.
enum MessageKind {
  case registrationResponse
  case authenticationResponse
  case options
  case signal
  case clientData

  /// The text is no JSON, or no object.
  var malformed: FormatError.Code {
    switch self {
    case .registrationResponse: .registrationResponseMalformed
    case .authenticationResponse: .authenticationResponseMalformed
    case .options: .optionsMalformed
    case .signal: .signalMalformed
    case .clientData: .clientDataMalformed
    }
  }

  /// A member that must be there is not, or is null.
  var missingMember: FormatError.Code {
    switch self {
    case .registrationResponse: .registrationResponseMissingMember
    case .authenticationResponse: .authenticationResponseMissingMember
    case .options: .optionsMissingMember
    case .signal: .signalMissingMember
    case .clientData: .clientDataMissingMember
    }
  }

  /// A member is of another type, or its text stands for nothing.
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

// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
internal import WireFormats

extension ClientError {
  /// Creates the error that a page would see for malformed options (WebAuthn §5.1.8 and §5.1.9).
  public init(options fault: FormatError) {
    self.init(Self.code(for: fault), "\(fault)")
  }

  private static func code(for fault: FormatError) -> Code {
    // The RP ID may be any text; an invalid domain is a suffix of no origin (§5.1.3 step 8, §5.1.4.1 step 7).
    if fault.code == .relyingPartyIDInvalid { return .originNotAllowed }
    return fault.wireError?.isAboutBase64 == true ? .optionsNotBase64URL : .optionsInvalid
  }

  /// Creates an error for a malformed response from the authenticator.
  init(answer fault: FormatError) {
    self.init(.authenticatorAnswerInvalid, "\(fault)")
  }
}

extension WireError {
  fileprivate var isAboutBase64: Bool { code.rawValue.hasPrefix("base64") }
}

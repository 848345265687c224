// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
internal import WireFormats

extension ClientError {
  /// What a page would see of options that cannot be read (WebAuthn §5.1.8 and §5.1.9).
  public init(options fault: FormatError) {
    self.init(Self.code(for: fault), "\(fault)")
  }

  private static func code(for fault: FormatError) -> Code {
    // Any text may stand there; one that is no domain is none that an origin is below (§5.1.3 step 8, §5.1.4.1 step 7).
    if fault.code == .relyingPartyIDInvalid { return .originNotAllowed }
    return fault.wireError?.isAboutBase64 == true ? .optionsNotBase64URL : .optionsInvalid
  }

  /// An answer of the authenticator that cannot be read.
  init(answer fault: FormatError) {
    self.init(.authenticatorAnswerInvalid, "\(fault)")
  }
}

extension WireError {
  fileprivate var isAboutBase64: Bool { code.rawValue.hasPrefix("base64") }
}

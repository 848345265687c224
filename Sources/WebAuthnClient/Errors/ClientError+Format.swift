// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
internal import WireFormats

extension ClientError {
  /// What a page would see of options that cannot be read (WebAuthn §5.1.8 and §5.1.9).
  public init(options fault: FormatError) {
    self.init(fault.wireError?.isAboutBase64 == true ? .optionsNotBase64URL : .optionsInvalid, "\(fault)")
  }

  /// An answer of the authenticator that cannot be read.
  init(answer fault: FormatError) {
    self.init(.authenticatorAnswerInvalid, "\(fault)")
  }
}

extension WireError {
  fileprivate var isAboutBase64: Bool { code.rawValue.hasPrefix("base64") }
}

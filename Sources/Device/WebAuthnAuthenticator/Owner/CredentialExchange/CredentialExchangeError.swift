// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// The reason why a text is not a file in the Credential Exchange Format. It never contains text of the file.
public struct CredentialExchangeError: CodedError {
  /// The cause.
  public let code: Code

  /// A description of the problem, for people.
  public let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The causes. Raw values are stable: new ones may be added, but existing ones never change.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The file has an unsupported major version of the Credential Exchange Format.
    case anotherVersion = "credential-exchange.another-version"
    /// The text is not JSON, or its header, accounts or items do not follow the Credential Exchange Format.
    case malformed = "credential-exchange.malformed"
  }
}

// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// An error in the settings, keys or templates of deliveries. A failure to send is a ``DeliveryResult``, not an error.
public struct DeliveryError: CodedError {
  /// The cause.
  public let code: Code

  /// A description of the invalid value; never a key, a password or a token.
  public let detail: String?

  /// Creates an error.
  public init(_ code: Code, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  /// The causes of an error. Raw values are stable: cases are added, never renamed.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The URL of a destination is malformed, or its scheme is not allowed.
    case addressInvalid = "delivery.address-invalid"
    /// A range of network addresses is malformed.
    case rangeInvalid = "delivery.range-invalid"
    /// A webhook's secret is malformed, or too short or too long.
    case secretInvalid = "delivery.secret-invalid"
    /// The private key of a push service is malformed or of another type.
    case keyInvalid = "delivery.key-invalid"
    /// The service account file of FCM is malformed or lacks a member.
    case serviceAccountInvalid = "delivery.service-account-invalid"
    /// An identifier of a push service is malformed, such as a team, key or topic.
    case identifierInvalid = "delivery.identifier-invalid"

    /// The sender of mail is not a supported address, or its display name contains control characters.
    case senderInvalid = "mail.sender-invalid"
    /// A user name or password is missing, or is sent without encryption.
    case loginInvalid = "mail.login-invalid"
    /// A mail template does not begin with a subject line.
    case templateWithoutSubject = "mail.template-without-subject"
    /// A mail template contains a placeholder that its event does not support.
    case templatePlaceholderUnknown = "mail.template-placeholder-unknown"
    /// A placeholder of a mail template is not closed.
    case templateMalformed = "mail.template-malformed"
    /// The template of a mail with a code does not contain the code.
    case templateWithoutCode = "mail.template-without-code"
    /// A template folder or file cannot be read, or has an unsupported name.
    case templateUnreadable = "mail.template-unreadable"
  }
}

// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The status byte of a CTAP reply (CTAP 2.3 §8.2). Every byte is a valid status, named or not.
public struct CTAPStatus: RawRepresentable, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Creates a status from its byte, known or not.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `CTAP2_OK`
  public static let success = Self(rawValue: 0x00)
  /// `CTAP1_ERR_INVALID_COMMAND`
  package static let invalidCommand = Self(rawValue: 0x01)
  /// `CTAP1_ERR_INVALID_PARAMETER`
  package static let invalidParameter = Self(rawValue: 0x02)
  /// `CTAP1_ERR_INVALID_LENGTH`
  package static let invalidLength = Self(rawValue: 0x03)
  /// `CTAP1_ERR_INVALID_SEQ`
  package static let invalidSequence = Self(rawValue: 0x04)
  /// `CTAP1_ERR_TIMEOUT`
  package static let timeout = Self(rawValue: 0x05)
  /// `CTAP1_ERR_CHANNEL_BUSY`
  package static let channelBusy = Self(rawValue: 0x06)
  /// `CTAP1_ERR_LOCK_REQUIRED`
  package static let lockRequired = Self(rawValue: 0x0a)
  /// `CTAP1_ERR_INVALID_CHANNEL`
  package static let invalidChannel = Self(rawValue: 0x0b)
  /// `CTAP2_ERR_CBOR_UNEXPECTED_TYPE`
  package static let cborUnexpectedType = Self(rawValue: 0x11)
  /// `CTAP2_ERR_INVALID_CBOR`
  package static let invalidCBOR = Self(rawValue: 0x12)
  /// `CTAP2_ERR_MISSING_PARAMETER`
  package static let missingParameter = Self(rawValue: 0x14)
  /// `CTAP2_ERR_LIMIT_EXCEEDED`
  package static let limitExceeded = Self(rawValue: 0x15)
  /// `CTAP2_ERR_FP_DATABASE_FULL`
  package static let fingerprintDatabaseFull = Self(rawValue: 0x17)
  /// `CTAP2_ERR_LARGE_BLOB_STORAGE_FULL`
  package static let largeBlobStorageFull = Self(rawValue: 0x18)
  /// `CTAP2_ERR_CREDENTIAL_EXCLUDED`
  package static let credentialExcluded = Self(rawValue: 0x19)
  /// `CTAP2_ERR_PROCESSING`
  package static let processing = Self(rawValue: 0x21)
  /// `CTAP2_ERR_INVALID_CREDENTIAL`
  package static let invalidCredential = Self(rawValue: 0x22)
  /// `CTAP2_ERR_USER_ACTION_PENDING`
  package static let userActionPending = Self(rawValue: 0x23)
  /// `CTAP2_ERR_OPERATION_PENDING`
  package static let operationPending = Self(rawValue: 0x24)
  /// `CTAP2_ERR_NO_OPERATIONS`
  package static let noOperations = Self(rawValue: 0x25)
  /// `CTAP2_ERR_UNSUPPORTED_ALGORITHM`
  package static let unsupportedAlgorithm = Self(rawValue: 0x26)
  /// `CTAP2_ERR_OPERATION_DENIED`
  package static let operationDenied = Self(rawValue: 0x27)
  /// `CTAP2_ERR_KEY_STORE_FULL`
  package static let keyStoreFull = Self(rawValue: 0x28)
  /// `CTAP2_ERR_UNSUPPORTED_OPTION`
  package static let unsupportedOption = Self(rawValue: 0x2b)
  /// `CTAP2_ERR_INVALID_OPTION`
  package static let invalidOption = Self(rawValue: 0x2c)
  /// `CTAP2_ERR_KEEPALIVE_CANCEL`
  package static let keepaliveCancel = Self(rawValue: 0x2d)
  /// `CTAP2_ERR_NO_CREDENTIALS`
  package static let noCredentials = Self(rawValue: 0x2e)
  /// `CTAP2_ERR_USER_ACTION_TIMEOUT`
  package static let userActionTimeout = Self(rawValue: 0x2f)
  /// `CTAP2_ERR_NOT_ALLOWED`
  public static let notAllowed = Self(rawValue: 0x30)
  /// `CTAP2_ERR_PIN_INVALID`
  package static let pinInvalid = Self(rawValue: 0x31)
  /// `CTAP2_ERR_PIN_BLOCKED`
  package static let pinBlocked = Self(rawValue: 0x32)
  /// `CTAP2_ERR_PIN_AUTH_INVALID`
  package static let pinAuthInvalid = Self(rawValue: 0x33)
  /// `CTAP2_ERR_PIN_AUTH_BLOCKED`
  package static let pinAuthBlocked = Self(rawValue: 0x34)
  /// `CTAP2_ERR_PIN_NOT_SET`
  package static let pinNotSet = Self(rawValue: 0x35)
  /// `CTAP2_ERR_PUAT_REQUIRED`
  package static let pinUVAuthTokenRequired = Self(rawValue: 0x36)
  /// `CTAP2_ERR_PIN_POLICY_VIOLATION`
  package static let pinPolicyViolation = Self(rawValue: 0x37)
  /// `CTAP2_ERR_REQUEST_TOO_LARGE`
  package static let requestTooLarge = Self(rawValue: 0x39)
  /// `CTAP2_ERR_ACTION_TIMEOUT`
  package static let actionTimeout = Self(rawValue: 0x3a)
  /// `CTAP2_ERR_UP_REQUIRED`
  package static let userPresenceRequired = Self(rawValue: 0x3b)
  /// `CTAP2_ERR_UV_BLOCKED`
  package static let userVerificationBlocked = Self(rawValue: 0x3c)
  /// `CTAP2_ERR_INTEGRITY_FAILURE`
  package static let integrityFailure = Self(rawValue: 0x3d)
  /// `CTAP2_ERR_INVALID_SUBCOMMAND`
  package static let invalidSubcommand = Self(rawValue: 0x3e)
  /// `CTAP2_ERR_UV_INVALID`
  package static let userVerificationInvalid = Self(rawValue: 0x3f)
  /// `CTAP2_ERR_UNAUTHORIZED_PERMISSION`
  package static let unauthorizedPermission = Self(rawValue: 0x40)
  /// `CTAP1_ERR_OTHER`
  public static let other = Self(rawValue: 0x7f)
}

extension CTAPStatus: CustomStringConvertible {
  /// The standard's name for the status; for a byte without a name, its range or its number.
  public var description: String {
    switch self {
    case .success: "CTAP2_OK"
    case .invalidCommand: "CTAP1_ERR_INVALID_COMMAND"
    case .invalidParameter: "CTAP1_ERR_INVALID_PARAMETER"
    case .invalidLength: "CTAP1_ERR_INVALID_LENGTH"
    case .invalidSequence: "CTAP1_ERR_INVALID_SEQ"
    case .timeout: "CTAP1_ERR_TIMEOUT"
    case .channelBusy: "CTAP1_ERR_CHANNEL_BUSY"
    case .lockRequired: "CTAP1_ERR_LOCK_REQUIRED"
    case .invalidChannel: "CTAP1_ERR_INVALID_CHANNEL"
    case .cborUnexpectedType: "CTAP2_ERR_CBOR_UNEXPECTED_TYPE"
    case .invalidCBOR: "CTAP2_ERR_INVALID_CBOR"
    case .missingParameter: "CTAP2_ERR_MISSING_PARAMETER"
    case .limitExceeded: "CTAP2_ERR_LIMIT_EXCEEDED"
    case .fingerprintDatabaseFull: "CTAP2_ERR_FP_DATABASE_FULL"
    case .largeBlobStorageFull: "CTAP2_ERR_LARGE_BLOB_STORAGE_FULL"
    case .credentialExcluded: "CTAP2_ERR_CREDENTIAL_EXCLUDED"
    case .processing: "CTAP2_ERR_PROCESSING"
    case .invalidCredential: "CTAP2_ERR_INVALID_CREDENTIAL"
    case .userActionPending: "CTAP2_ERR_USER_ACTION_PENDING"
    case .operationPending: "CTAP2_ERR_OPERATION_PENDING"
    case .noOperations: "CTAP2_ERR_NO_OPERATIONS"
    case .unsupportedAlgorithm: "CTAP2_ERR_UNSUPPORTED_ALGORITHM"
    case .operationDenied: "CTAP2_ERR_OPERATION_DENIED"
    case .keyStoreFull: "CTAP2_ERR_KEY_STORE_FULL"
    case .unsupportedOption: "CTAP2_ERR_UNSUPPORTED_OPTION"
    case .invalidOption: "CTAP2_ERR_INVALID_OPTION"
    case .keepaliveCancel: "CTAP2_ERR_KEEPALIVE_CANCEL"
    case .noCredentials: "CTAP2_ERR_NO_CREDENTIALS"
    case .userActionTimeout: "CTAP2_ERR_USER_ACTION_TIMEOUT"
    case .notAllowed: "CTAP2_ERR_NOT_ALLOWED"
    case .pinInvalid: "CTAP2_ERR_PIN_INVALID"
    case .pinBlocked: "CTAP2_ERR_PIN_BLOCKED"
    case .pinAuthInvalid: "CTAP2_ERR_PIN_AUTH_INVALID"
    case .pinAuthBlocked: "CTAP2_ERR_PIN_AUTH_BLOCKED"
    case .pinNotSet: "CTAP2_ERR_PIN_NOT_SET"
    case .pinUVAuthTokenRequired: "CTAP2_ERR_PUAT_REQUIRED"
    case .pinPolicyViolation: "CTAP2_ERR_PIN_POLICY_VIOLATION"
    case .requestTooLarge: "CTAP2_ERR_REQUEST_TOO_LARGE"
    case .actionTimeout: "CTAP2_ERR_ACTION_TIMEOUT"
    case .userPresenceRequired: "CTAP2_ERR_UP_REQUIRED"
    case .userVerificationBlocked: "CTAP2_ERR_UV_BLOCKED"
    case .integrityFailure: "CTAP2_ERR_INTEGRITY_FAILURE"
    case .invalidSubcommand: "CTAP2_ERR_INVALID_SUBCOMMAND"
    case .userVerificationInvalid: "CTAP2_ERR_UV_INVALID"
    case .unauthorizedPermission: "CTAP2_ERR_UNAUTHORIZED_PERMISSION"
    case .other: "CTAP1_ERR_OTHER"
    default: nameOfRange
    }
  }

  private var nameOfRange: String {
    switch rawValue {
    case 0xe0...0xef: "CTAP2_ERR_EXTENSION_\(rawValue - 0xe0)"
    case 0xf0...0xff: "CTAP2_ERR_VENDOR_\(rawValue - 0xf0)"
    default: "status \(rawValue)"
    }
  }
}

/// A CTAP status other than success, thrown by an authenticator. Only the status is sent to the client.
public struct CTAPError: Error, Hashable, Sendable {
  /// The status; never ``CTAPStatus/success``.
  public let status: CTAPStatus

  /// A description of the problem, for a log. It is not sent to the client and never contains a PIN, a key or a secret.
  public let detail: String?

  /// The error that caused this one in this process. Errors are equal whatever caused them.
  @Uncompared package private(set) var cause: (any Error)?

  /// Creates an error.
  public init(_ status: CTAPStatus, _ detail: String? = nil) {
    self.status = status
    self.detail = detail
  }

  /// Creates the error for a cause that has no status of its own.
  package init(other cause: any Error) {
    self.init(.other, "\(cause)", cause: cause)
  }

  /// Creates an error with its cause.
  package init(_ status: CTAPStatus, _ detail: String, cause: any Error) {
    self.init(status, detail)
    self.cause = cause
  }
}

extension CTAPError: CustomStringConvertible {
  /// The standard's name for the status, and the detail.
  public var description: String { detail.map { "\(status): \($0)" } ?? "\(status)" }
}

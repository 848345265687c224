// SPDX-License-Identifier: Apache-2.0

extension CTAPStatus: CustomStringConvertible {
  /// The standard's name for the status, or what range the byte lies in.
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
    case .pinUvAuthTokenRequired: "CTAP2_ERR_PUAT_REQUIRED"
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

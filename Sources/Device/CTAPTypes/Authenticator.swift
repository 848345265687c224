// SPDX-License-Identifier: Apache-2.0

/// A passkey authenticator: in this process, or reached through a pipe, a socket or a bus.
///
/// This is the only asynchronous declaration of the module, because an authenticator waits for its user. It is declared
/// here so that `WebAuthnAuthenticator` and `WebAuthnClient` need not import each other.
public protocol Authenticator: Sendable {
  /// Performs one CTAP2 command.
  ///
  /// - Parameters:
  ///   - command: The command byte.
  ///   - parameters: The CBOR that follows the command byte; empty for a command without parameters.
  /// - Returns: The CBOR that follows the status byte.
  /// - Throws: A ``CTAPError`` with the reply's status, unless the status is ``CTAPStatus/success``.
  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8]

  /// Cancels the pending command, which then throws `CTAP2_ERR_KEEPALIVE_CANCEL`. Does nothing if no command is
  /// pending.
  func cancel() async
}

/// The command byte of a CTAP2 request (CTAP 2.3 §6). The set is open, because vendors define their own commands.
public struct CTAPCommand: RawRepresentable, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// Creates a command from its byte, known or not.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `authenticatorMakeCredential`
  package static let makeCredential = Self(rawValue: 0x01)
  /// `authenticatorGetAssertion`
  package static let getAssertion = Self(rawValue: 0x02)
  /// `authenticatorGetInfo`
  public static let getInfo = Self(rawValue: 0x04)
  /// `authenticatorClientPIN`
  package static let clientPIN = Self(rawValue: 0x06)
  /// `authenticatorReset`
  package static let reset = Self(rawValue: 0x07)
  /// `authenticatorGetNextAssertion`
  package static let getNextAssertion = Self(rawValue: 0x08)
  /// `authenticatorBioEnrollment`
  package static let bioEnrollment = Self(rawValue: 0x09)
  /// `authenticatorCredentialManagement`
  package static let credentialManagement = Self(rawValue: 0x0a)
  /// `authenticatorSelection`
  package static let selection = Self(rawValue: 0x0b)
  /// `authenticatorLargeBlobs`
  package static let largeBlobs = Self(rawValue: 0x0c)
  /// `authenticatorAuthenticatorConfig`
  package static let authenticatorConfig = Self(rawValue: 0x0d)
  /// `authenticatorBioEnrollment` with the number from drafts of CTAP 2.1 (`FIDO_2_1_PRE`,
  /// `userVerificationMgmtPreview`).
  package static let prototypeBioEnrollment = Self(rawValue: 0x40)
  /// `authenticatorCredentialManagement` with the number from drafts of CTAP 2.1 (`FIDO_2_1_PRE`,
  /// `credentialMgmtPreview`).
  package static let prototypeCredentialManagement = Self(rawValue: 0x41)

  /// Whether the command has a draft number.
  package var isPrototype: Bool { self == .prototypeBioEnrollment || self == .prototypeCredentialManagement }

  /// The standard's name for the command, without the prefix "authenticator"; nil for an unknown command.
  public var name: String? {
    switch self {
    case .makeCredential: "makeCredential"
    case .getAssertion: "getAssertion"
    case .getInfo: "getInfo"
    case .clientPIN: "clientPIN"
    case .reset: "reset"
    case .getNextAssertion: "getNextAssertion"
    case .bioEnrollment, .prototypeBioEnrollment: "bioEnrollment"
    case .credentialManagement, .prototypeCredentialManagement: "credentialManagement"
    case .selection: "selection"
    case .largeBlobs: "largeBlobs"
    case .authenticatorConfig: "authenticatorConfig"
    default: nil
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

/// The command byte in front of a CTAP2 request (CTAP 2.3 §6). An open set: vendors have commands of their own.
public struct CTAPCommand: RawRepresentable, Hashable, Sendable {
  /// The byte.
  public let rawValue: UInt8

  /// The command with this byte, known or not.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `authenticatorMakeCredential`
  public static let makeCredential = Self(rawValue: 0x01)
  /// `authenticatorGetAssertion`
  public static let getAssertion = Self(rawValue: 0x02)
  /// `authenticatorGetInfo`
  public static let getInfo = Self(rawValue: 0x04)
  /// `authenticatorClientPIN`
  public static let clientPIN = Self(rawValue: 0x06)
  /// `authenticatorReset`
  public static let reset = Self(rawValue: 0x07)
  /// `authenticatorGetNextAssertion`
  public static let getNextAssertion = Self(rawValue: 0x08)
  /// `authenticatorBioEnrollment`
  public static let bioEnrollment = Self(rawValue: 0x09)
  /// `authenticatorCredentialManagement`
  public static let credentialManagement = Self(rawValue: 0x0a)
  /// `authenticatorSelection`
  public static let selection = Self(rawValue: 0x0b)
  /// `authenticatorLargeBlobs`
  public static let largeBlobs = Self(rawValue: 0x0c)
  /// `authenticatorAuthenticatorConfig`
  public static let authenticatorConfig = Self(rawValue: 0x0d)
  /// `authenticatorBioEnrollment` as drafts of CTAP 2.1 numbered it (`FIDO_2_1_PRE`, `userVerificationMgmtPreview`).
  public static let prototypeBioEnrollment = Self(rawValue: 0x40)
  /// `authenticatorCredentialManagement` as drafts of CTAP 2.1 numbered it (`FIDO_2_1_PRE`, `credentialMgmtPreview`).
  public static let prototypeCredentialManagement = Self(rawValue: 0x41)

  /// Whether the command is a prototype of another one.
  package var isPrototype: Bool { self == .prototypeBioEnrollment || self == .prototypeCredentialManagement }

  /// The standard's name for the command, without "authenticator" in front.
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

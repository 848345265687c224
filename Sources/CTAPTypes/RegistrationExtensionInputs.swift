// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// The extensions that a platform asks for with a new credential (CTAP 2.3 §12), those that this project knows.
public struct RegistrationExtensionInputs: Hashable, Sendable {
  /// `credProtect`: the level, 1 to 3.
  public var credentialProtection: UInt64?

  /// `hmac-secret`: whether the credential shall be able to.
  public var hmacSecret: Bool?

  /// `hmac-secret-mc`: salts for outputs at once.
  public var hmacSecretOnCreation: HMACSecretInput?

  /// `credBlob`: bytes to be kept.
  public var credentialBlob: Bytes?

  /// `largeBlobKey`: whether there shall be a key for a large blob.
  public var largeBlobKey: Bool?

  /// `minPinLength`: whether to tell how long PINs have to be.
  public var minimumPINLength: Bool?

  /// `pinComplexityPolicy`: whether to tell if PINs are held to more than a length.
  public var pinComplexityPolicy: Bool?

  /// `thirdPartyPayment`: whether other origins may pay with the credential.
  public var thirdPartyPayment: Bool?

  /// Asks for nothing.
  public init() {}

  /// Extensions that are not known count as absent.
  init(_ extensions: CommandParameters?) throws(CTAPError) {
    guard let extensions else { return }
    credentialProtection = try extensions.optionalUnsigned("credProtect")
    hmacSecret = try extensions.optionalBool("hmac-secret")
    if let input = try extensions.optionalMap("hmac-secret-mc") { hmacSecretOnCreation = try HMACSecretInput(input) }
    credentialBlob = try extensions.optionalBytes("credBlob")
    largeBlobKey = try extensions.optionalBool("largeBlobKey")
    minimumPINLength = try extensions.optionalBool("minPinLength")
    pinComplexityPolicy = try extensions.optionalBool("pinComplexityPolicy")
    thirdPartyPayment = try extensions.optionalBool("thirdPartyPayment")
  }

  /// The map, or nothing where nothing is asked for.
  var tree: CBORTree? {
    var extensions: [CBORKey: CBORTree] = [:]
    extensions["credProtect"] = credentialProtection.map { .unsigned($0) }
    extensions["hmac-secret"] = hmacSecret.map { .bool($0) }
    extensions["hmac-secret-mc"] = hmacSecretOnCreation?.tree
    extensions["credBlob"] = credentialBlob.map { .bytes([UInt8]($0)) }
    extensions["largeBlobKey"] = largeBlobKey.map { .bool($0) }
    extensions["minPinLength"] = minimumPINLength.map { .bool($0) }
    extensions["pinComplexityPolicy"] = pinComplexityPolicy.map { .bool($0) }
    extensions["thirdPartyPayment"] = thirdPartyPayment.map { .bool($0) }
    return extensions.isEmpty ? nil : .map(extensions)
  }
}

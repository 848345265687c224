// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The extensions that a platform asks for with an assertion (CTAP 2.3 §12), those that this project knows.
public struct AssertionExtensionInputs: Hashable, Sendable {
  /// `credBlob`: whether to return the bytes that were kept.
  public var credentialBlob: Bool?

  /// `hmac-secret`: salts for outputs.
  public var hmacSecret: HMACSecretInput?

  /// `largeBlobKey`: whether to return the key.
  public var largeBlobKey: Bool?

  /// `thirdPartyPayment`: whether to tell if other origins may pay with the credential.
  public var thirdPartyPayment: Bool?

  /// Asks for nothing.
  public init() {}

  /// Extensions that are not known count as absent.
  init(_ extensions: CommandParameters?) throws(CTAPError) {
    guard let extensions else { return }
    credentialBlob = try extensions.optionalBool("credBlob")
    if let input = try extensions.optionalMap("hmac-secret") { hmacSecret = try HMACSecretInput(input) }
    largeBlobKey = try extensions.optionalBool("largeBlobKey")
    thirdPartyPayment = try extensions.optionalBool("thirdPartyPayment")
  }

  /// The map, or nothing where nothing is asked for.
  var tree: CBORTree? {
    var extensions: [CBORKey: CBORTree] = [:]
    extensions["credBlob"] = credentialBlob.map { .bool($0) }
    extensions["hmac-secret"] = hmacSecret?.tree
    extensions["largeBlobKey"] = largeBlobKey.map { .bool($0) }
    extensions["thirdPartyPayment"] = thirdPartyPayment.map { .bool($0) }
    return extensions.isEmpty ? nil : .map(extensions)
  }
}

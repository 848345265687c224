// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The parsed inputs of the supported registration extensions (WebAuthn §5.1.3 step 12). Unsupported extensions are
/// ignored. `uvm` is not supported, because Level 3 removed it.
struct RegistrationInputs: Sendable {
  let asksForProperties: Bool
  let prf: PRFInputs?
  let largeBlob: LargeBlobInputs?
  let protection: CredentialProtectionInputs?
  let blob: [UInt8]?
  let flags: [String]
  let asksForSecret: Bool
  let salts: HMACSecretSalts?
  let appIDExclude: String?

  /// `origin` is the caller's.
  init(_ extensions: ClientExtensions, at origin: WebOrigin) throws(ClientError) {
    // §10.1.4, registration, step 1.
    guard !extensions.has("prf", "evalByCredential") else {
      throw ClientError(.extensionNotSupported, "prf.evalByCredential is for sign-ins")
    }
    // §10.1.5, registration, step 1.
    guard !extensions.has("largeBlob", "read"), !extensions.has("largeBlob", "write") else {
      throw ClientError(.extensionNotSupported, "largeBlob.read and largeBlob.write are for sign-ins")
    }
    do throws(FormatError) {
      asksForProperties = try extensions.asks(for: ExtensionName.credProps)
      prf = try extensions.prfInputs
      largeBlob = try extensions.largeBlobInputs
      protection = try extensions.credentialProtectionInputs
      blob = try extensions.credBlobInput
      flags = try extensions.requestedFlags
      asksForSecret = try extensions.asks(for: ExtensionName.hmacCreateSecret)
      salts = try extensions.hmacSecretSalts
      appIDExclude = try extensions.appIDExcludeInput.map { (input) in origin.appID(of: input) }
    } catch {
      throw ClientError(options: error)
    }
  }

  /// The salts to evaluate during creation: those of `prf`, or else those passed through unchanged.
  var evaluation: SaltEvaluation? {
    if let prf { return prf.evaluating.map { (values) in SaltEvaluation(values) } }
    return asksForSecret ? salts.map { (salts) in SaltEvaluation(salts) } : nil
  }
}

extension ClientExtensions {
  /// Returns whether the input of an extension has this member with a value other than null.
  func has(_ name: String, _ member: String) -> Bool {
    guard let value = self[name]?[member] else { return false }
    return value != .null
  }
}

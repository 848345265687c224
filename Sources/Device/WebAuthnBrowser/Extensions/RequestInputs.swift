// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

/// The parsed inputs of the supported sign-in extensions (WebAuthn §5.1.4.1 step 9). Unsupported extensions are
/// ignored.
struct RequestInputs: Sendable {
  let appID: String?
  let prf: PRFInputs?
  let largeBlob: LargeBlobInputs?
  let asksForBlob: Bool
  let salts: HMACSecretSalts?

  /// `origin` is the caller's.
  init(
    _ extensions: ClientExtensions, allowing list: [CredentialDescriptor], at origin: WebOrigin
  ) throws(ClientError) {
    try Self.checkRecords(of: extensions, list)
    // §10.1.5, authentication, steps 1 and 2.
    guard !extensions.has("largeBlob", "support") else {
      throw ClientError(.extensionNotSupported, "largeBlob.support is for registrations")
    }
    guard !extensions.has("largeBlob", "read") || !extensions.has("largeBlob", "write") else {
      throw ClientError(.extensionNotSupported, "largeBlob.read and largeBlob.write cannot be combined")
    }
    do throws(FormatError) {
      appID = try extensions.appIDInput.map { (input) in origin.appID(of: input) }
      prf = try extensions.prfInputs
      largeBlob = try extensions.largeBlobInputs
      asksForBlob = try extensions.asks(for: ExtensionName.getCredBlob)
      salts = try extensions.hmacSecretSalts
    } catch {
      throw ClientError(options: error)
    }
    // §10.1.5, authentication, step 4.1.
    if case .write? = largeBlob?.access, list.count != 1 {
      throw ClientError(.extensionNotSupported, "largeBlob.write needs exactly one credential")
    }
  }

  /// §10.1.4, authentication, steps 1 and 2.
  private static func checkRecords(
    of extensions: ClientExtensions, _ list: [CredentialDescriptor]
  ) throws(ClientError) {
    guard case .object(let records)? = extensions["prf"]?["evalByCredential"], !records.isEmpty else { return }
    guard !list.isEmpty else {
      throw ClientError(.extensionNotSupported, "prf.evalByCredential without allowCredentials")
    }
    for name in records.keys {
      guard let bytes = try? Base64URL.decode(name), !bytes.isEmpty,
        list.contains(where: { (descriptor) in descriptor.id.bytes == bytes })
      else {
        throw ClientError(.extensionInvalid, "prf.evalByCredential names a credential that allowCredentials lacks")
      }
    }
  }

  /// Whether there are `prf` salts to evaluate.
  var evaluatesPRF: Bool { prf.map { (prf) in prf.evaluating != nil || !prf.byCredential.isEmpty } ?? false }

  /// Whether the `prf` salts depend on which credential signs.
  var dependsOnCredential: Bool { prf.map { (prf) in !prf.byCredential.isEmpty } ?? false }

  // 256, 64 bytes  [a key of 80, two salts in 82, a tag in 34, and names; a blob is requested by its name only]
  /// The maximum size of the authenticator extension inputs.
  var maximumByteCount: Int { prf != nil || salts != nil ? 256 + 64 : 64 }

  /// §10.1.4, authentication, step 4: returns the `prf` salts for a credential, or else the salts passed through
  /// unchanged.
  func evaluation(for credential: CredentialID?) -> SaltEvaluation? {
    guard let prf else { return salts.map { (salts) in SaltEvaluation(salts) } }
    let values = credential.flatMap { (credential) in prf.byCredential[credential] } ?? prf.evaluating
    return values.map { (values) in SaltEvaluation(values) }
  }

  /// The blob to write, if any.
  var blobToWrite: [UInt8]? {
    if case .write(let blob)? = largeBlob?.access { blob } else { nil }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// What a sign-in asks of the extensions that this client knows (WebAuthn §5.1.4.1 step 9); of others it asks nothing.
struct RequestInputs: Sendable {
  let appID: String?
  let prf: PRFInputs?
  let largeBlob: LargeBlobInputs?
  let asksForBlob: Bool
  let salts: HMACSecretSalts?

  init(_ extensions: ClientExtensions, allowing list: [CredentialDescriptor]) throws(ClientError) {
    try Self.checkRecords(of: extensions, list)
    // §10.1.5, authentication, steps 1 and 2.
    guard !extensions.has("largeBlob", "support") else {
      throw ClientError(.extensionNotSupported, "largeBlob.support is for registrations")
    }
    guard !extensions.has("largeBlob", "read") || !extensions.has("largeBlob", "write") else {
      throw ClientError(.extensionNotSupported, "largeBlob cannot be read and written at once")
    }
    do throws(FormatError) {
      appID = try extensions.appIDInput
      prf = try extensions.prfInputs
      largeBlob = try extensions.largeBlobInputs
      asksForBlob = try extensions.asks(for: ExtensionName.getCredBlob)
      salts = try extensions.hmacSecretSalts
    } catch {
      throw ClientError(options: error)
    }
    // §10.1.5, authentication, step 4.1.
    if case .write? = largeBlob?.access, list.count != 1 {
      throw ClientError(.extensionNotSupported, "to write a large blob, exactly one credential is named")
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
        list.contains(where: { (descriptor) in descriptor.id.bytes == bytes[...] })
      else { throw ClientError(.extensionInvalid, "prf.evalByCredential names a credential that is not asked for") }
    }
  }

  /// Whether there is something to evaluate.
  var evaluatesPRF: Bool { prf.map { (prf) in prf.evaluating != nil || !prf.byCredential.isEmpty } ?? false }

  /// Whether what is evaluated depends on which credential it will be.
  var dependsOnCredential: Bool { prf.map { (prf) in !prf.byCredential.isEmpty } ?? false }

  // 256, 64 bytes  [a key of 80, two salts in 82, a tag in 34, and names; blobs are asked for by a word]
  /// How long the authenticator's inputs are at most.
  var maximumByteCount: Int { prf != nil || salts != nil ? 256 + 64 : 64 }

  /// §10.1.4, authentication, step 4: the salts for a credential; or those that are handed on as they are.
  func evaluation(for credential: CredentialID?) -> SaltEvaluation? {
    guard let prf else { return salts.map { (salts) in SaltEvaluation(salts) } }
    let values = credential.flatMap { (credential) in prf.byCredential[credential] } ?? prf.evaluating
    return values.map { (values) in SaltEvaluation(values) }
  }

  /// Whether a blob is to be written.
  var blobToWrite: [UInt8]? {
    if case .write(let blob)? = largeBlob?.access { blob } else { nil }
  }
}

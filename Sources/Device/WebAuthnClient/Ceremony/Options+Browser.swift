// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
public import WebAuthnTypes

extension CreationOptions {
  /// Reads options as a browser does: `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn §5.1.8).
  ///
  /// A null `hints` is a `TypeError`, for instance, and a null `user.name` is the text "null". Like Chromium, accepts
  /// at most 64 excluded credentials, no `appid`, and no `credProtect` that it considers inconsistent. `init(json:)`
  /// takes null members as absent and converts nothing.
  ///
  /// - Throws: `client.options-invalid`, `client.options-not-base64url`, `client.origin-not-allowed`,
  ///   `client.too-many-credentials` or `client.extension-not-supported`.
  public init(asReadByBrowser json: some Collection<UInt8>) throws(ClientError) {
    self = try BrowserOptions.read(json, for: .registration) { (options) throws(BrowserRefusal) in
      try options.creationOptions()
    }
  }
}

extension RequestOptions {
  /// Reads options as a browser does: `PublicKeyCredential.parseRequestOptionsFromJSON()` (WebAuthn §5.1.9).
  ///
  /// A null `allowCredentials` is a `TypeError`, for instance, and a null `rpId` is the text "null". Like Chromium,
  /// accepts at most 64 credentials, and no `credProps`. `init(json:)` takes null members as absent and converts nothing.
  ///
  /// - Throws: `client.options-invalid`, `client.options-not-base64url`, `client.origin-not-allowed`,
  ///   `client.too-many-credentials` or `client.extension-not-supported`.
  public init(asReadByBrowser json: some Collection<UInt8>) throws(ClientError) {
    self = try BrowserOptions.read(json, for: .authentication) { (options) throws(BrowserRefusal) in
      try options.requestOptions()
    }
  }
}

extension BrowserOptions {
  fileprivate static func read<Options>(
    _ json: some Collection<UInt8>, for ceremony: Ceremony, _ body: (Self) throws(BrowserRefusal) -> Options
  ) throws(ClientError) -> Options {
    let options: Self
    do throws(FormatError) {
      options = try Self(json: Bytes(json), for: ceremony)
    } catch {
      throw ClientError(options: error)
    }
    do throws(BrowserRefusal) {
      return try body(options)
    } catch {
      throw ClientError(error)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
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
    try self.init(asReadByBrowser: JSONValue.parsed(json))
  }

  /// Reads parsed options as a browser does.
  package init(asReadByBrowser json: JSONValue) throws(ClientError) {
    let options = try BrowserOptions(checking: json, for: .registration)
    do throws(BrowserRefusal) {
      self = try options.creationOptions()
    } catch {
      throw ClientError(error)
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
    try self.init(asReadByBrowser: JSONValue.parsed(json))
  }

  /// Reads parsed options as a browser does.
  package init(asReadByBrowser json: JSONValue) throws(ClientError) {
    let options = try BrowserOptions(checking: json, for: .authentication)
    self = try mapError(options.requestOptions()) { (error: BrowserRefusal) in ClientError(error) }
  }
}

extension JSONValue {
  fileprivate static func parsed(_ options: some Collection<UInt8>) throws(ClientError) -> JSONValue {
    do throws(WireError) {
      return try JSON.parse(Bytes(options))
    } catch {
      throw ClientError(options: FormatError(.optionsMalformed, error))
    }
  }
}

extension BrowserOptions {
  /// Reads options, which must be an object.
  fileprivate init(checking json: JSONValue, for ceremony: Ceremony) throws(ClientError) {
    do throws(WireError) {
      self.init(try json.object, for: ceremony)
    } catch {
      throw ClientError(options: FormatError(.optionsMalformed, error))
    }
  }
}

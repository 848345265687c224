// SPDX-License-Identifier: Apache-2.0

/// How the bytes in a response's JSON may be encoded.
public enum ResponseEncoding: Sendable {
  /// Base64url without padding, as WebAuthn §5.1 demands.
  case base64URL
  /// Base64url or standard base64, padded or not, for clients that do not follow the standard. `id` and `rawId` may be
  /// encoded differently, as long as they name the same credential.
  ///
  /// This concerns the members of the response only. Client data and extension outputs inside them are read as always.
  case anyBase64
}

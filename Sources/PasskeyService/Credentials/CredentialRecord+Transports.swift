// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

// Limits
//   8 transports [the standard has six]
//   32 bytes of each [the longest of those has ten]

extension CredentialRecord {
  /// The record with as many transports as there can be, in the client's order.
  ///
  /// They are the client's word alone, which nothing signs, and go out with the options to whoever names the address: a
  /// stranger who makes an account must not make these options long, nor the ceremonies that are kept with them.
  var withPlausibleTransports: CredentialRecord {
    var record = self
    record.transports = Array(
      transports.lazy.filter { 1...Self.maximumTransportByteCount ~= $0.rawValue.utf8.count }
        .prefix(Self.maximumTransportCount))
    return record
  }

  private static let maximumTransportCount = 8
  private static let maximumTransportByteCount = 32
}

// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

// Limits
//   8 transports [the standard defines six]
//   32 bytes each [the longest standard name has ten]

extension CredentialRecord {
  /// A copy of the record with at most the maximum number of transports, in the client's order.
  ///
  /// Transports are unsigned client input, and sign-in options repeat them to anyone who enters the address. Without a
  /// limit, an attacker could register an account whose options and pending ceremonies are very large.
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

// SPDX-License-Identifier: Apache-2.0

/// What was in a server's ``TLSFiles``: certificates and a key, PEM.
struct TLSIdentity {
  let certificate: [UInt8]
  let key: [UInt8]
}

// SPDX-License-Identifier: Apache-2.0

/// The contents of a server's ``TLSFiles``: the certificates and the key, in PEM.
struct TLSIdentity {
  let certificate: [UInt8]
  let key: [UInt8]
}

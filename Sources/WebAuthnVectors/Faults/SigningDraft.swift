// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

/// An assertion's signature, before it is made: what is signed, and with which key.
struct SigningDraft: Draft {
  var key: SigningKey
  var message: [UInt8]
}

/// An assertion's signature as it is sent.
struct SignatureBytes: Draft {
  var bytes: [UInt8]
}

// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
public import WireFormats

/// What ties a ceremony to the browser in which it was begun: the value of a cookie, say. Whoever finishes the ceremony has
/// to have the same, and where it was begun without one, none.
///
/// Without one, a ceremony can be finished from another browser by whoever is shown its options.
public struct CeremonyBinding: Hashable, Sendable {
  let digest: [UInt8]

  /// Takes what the browser has, which only its hash is kept of.
  public init(_ secret: Bytes) {
    digest = Digest.sha256(secret)
  }
}

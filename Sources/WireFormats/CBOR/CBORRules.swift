// SPDX-License-Identifier: Apache-2.0

/// How strictly CBOR is read. All three demand well-formed input, distinct map keys and valid UTF-8.
public enum CBORRules: Sendable {
  /// Any well-formed item of RFC 8949, indefinite lengths included: for looking at things.
  case general

  /// What a relying party accepts: definite lengths only, since CTAP2 forbids the others, but no order of keys and no
  /// shortest heads, since real devices miss both.
  case wellFormed

  /// CTAP2 canonical form (CTAP 2.3 §8), which an authenticator demands of its clients and clients of it.
  ///
  /// Floating-point numbers are allowed: to CTAP2 their width is part of their value.
  case canonical

  package var allowsIndefiniteLength: Bool { self == .general }
  var requiresShortestHeads: Bool { self == .canonical }
  var requiresSortedKeys: Bool { self == .canonical }
  var allowsTags: Bool { self != .canonical }
}

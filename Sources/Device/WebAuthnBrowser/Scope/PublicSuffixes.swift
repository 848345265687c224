// SPDX-License-Identifier: Apache-2.0

/// A list of public suffixes, below which anyone can register a domain, such as `com` and `co.uk`.
package protocol PublicSuffixes: Sendable {
  /// Returns whether the domain is a public suffix.
  func isPublicSuffix(_ domain: String) -> Bool

  /// Returns the public suffix of a domain: `co.uk` for `www.raxx.co.uk`.
  func publicSuffix(of domain: String) -> String?

  /// Returns the registrable domain: `raxx.co.uk` for `www.raxx.co.uk`, or nil for a public suffix.
  func registrableDomain(of domain: String) -> String?
}

// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyPublicSuffix
internal import WebAuthnBrowser

/// The list of public suffixes, below which anyone can register a domain, such as `com`, `co.uk` and `github.io`.
///
/// Internationalized rules and domains are compared in their `xn--` form. A domain that matches no rule has its last
/// label as its public suffix.
@safe public final class PublicSuffixList: @unchecked Sendable {  // A list is never modified after it is loaded.
  private let list: OpaquePointer
  private let isOwned: Bool

  /// The most recent list on this machine: the system's, or the one built into libpsl. Nil if there is neither.
  public static let system = PublicSuffixList()

  /// Loads the most recent list. The built-in list is not owned and must not be freed.
  private init?() {
    // psl_latest returns the built-in list itself if no file is more recent.
    let builtIn = unsafe psl_builtin()
    guard let list = unsafe psl_latest(nil) ?? builtIn else { return nil }
    unsafe self.list = list
    isOwned = unsafe list != builtIn
  }

  /// Loads a list from a file, as text from publicsuffix.org or compiled. Returns nil if that fails.
  package init?(path: String) {
    guard let list = unsafe psl_load_file(path) else { return nil }
    unsafe self.list = list
    isOwned = true
  }

  deinit {
    if isOwned { unsafe psl_free(list) }
  }

  /// Returns whether the domain is a public suffix.
  package func isPublicSuffix(_ domain: String) -> Bool {
    unsafe psl_is_public_suffix(list, domain) == 1
  }

  /// Returns whether the domain is listed as a suffix of a registry, such as `com` and `co.uk`.
  package func isRegistry(_ domain: String) -> Bool {
    unsafe psl_is_public_suffix2(list, domain, PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE) == 1
  }

  /// Returns the public suffix of a domain: `co.uk` for `www.raxx.co.uk`.
  package func publicSuffix(of domain: String) -> String? {
    unsafe suffix(of: domain) { (list, domain) in unsafe psl_unregistrable_domain(list, domain) }
  }

  /// Returns the registrable domain: `raxx.co.uk` for `www.raxx.co.uk`, or nil for a public suffix.
  package func registrableDomain(of domain: String) -> String? {
    unsafe suffix(of: domain) { (list, domain) in unsafe psl_registrable_domain(list, domain) }
  }

  /// Copies the result, because libpsl returns a pointer into its argument.
  private func suffix(
    of domain: String, _ find: (OpaquePointer, UnsafePointer<CChar>) -> UnsafePointer<CChar>?
  ) -> String? {
    unsafe domain.withCString { (domain) in
      unsafe find(list, domain).map { (found) in unsafe String(cString: found) }
    }
  }
}

extension PublicSuffixList: PublicSuffixes {}

// SPDX-License-Identifier: Apache-2.0

internal import CPublicSuffix

/// The list of domains below which anybody can register a name, such as `com`, `co.uk` and `github.io`.
///
/// Where a rule of the list and the name are in other scripts, both are compared in their `xn--` form. A name below no rule
/// counts as registered below its last label.
@safe public final class PublicSuffixList: @unchecked Sendable {  // Nothing writes to a list once it is read.
  private let list: OpaquePointer
  private let isOwned: Bool

  /// The newest list on this machine: the system's, or the one that libpsl was built with. Nil where there is neither.
  public static let system = PublicSuffixList()

  /// Nothing but a list that was built in or that the system keeps is an owner's.
  private init?() {
    // psl_latest answers the built-in list itself where none of the files is newer.
    let builtIn = unsafe psl_builtin()
    guard let list = unsafe psl_latest(nil) ?? builtIn else { return nil }
    unsafe self.list = list
    isOwned = unsafe list != builtIn
  }

  /// The list in a file, as publicsuffix.org has it or compiled; nil where there is none.
  public init?(path: String) {
    guard let list = unsafe psl_load_file(path) else { return nil }
    unsafe self.list = list
    isOwned = true
  }

  deinit {
    if isOwned { unsafe psl_free(list) }
  }

  /// Whether anybody can register a name below this one.
  public func isPublicSuffix(_ domain: String) -> Bool {
    unsafe psl_is_public_suffix(list, domain) == 1
  }

  /// The part of the name below which it was registered: `co.uk` of `www.raxx.co.uk`.
  public func publicSuffix(of domain: String) -> String? {
    unsafe suffix(of: domain) { (list, domain) in unsafe psl_unregistrable_domain(list, domain) }
  }

  /// The name that somebody registered: `raxx.co.uk` of `www.raxx.co.uk`; nil where the name is a public suffix itself.
  public func registrableDomain(of domain: String) -> String? {
    unsafe suffix(of: domain) { (list, domain) in unsafe psl_registrable_domain(list, domain) }
  }

  /// What libpsl answers is a place within the name that it was given.
  private func suffix(
    of domain: String, _ find: (OpaquePointer, UnsafePointer<CChar>) -> UnsafePointer<CChar>?
  ) -> String? {
    unsafe domain.withCString { (domain) in
      unsafe find(list, domain).map { (found) in unsafe String(cString: found) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnBrowser

/// Public suffixes without a list: the last label of a domain is one. A page may use the other domains above its own as RP
/// IDs, as on a real domain below `com` or `org`.
struct LastLabels: PublicSuffixes {
  func isPublicSuffix(_ domain: String) -> Bool { !domain.contains(".") }

  func publicSuffix(of domain: String) -> String? { domain.split(separator: ".").last.map(String.init) }

  func registrableDomain(of domain: String) -> String? {
    let labels = domain.split(separator: ".").suffix(2)
    return labels.count == 2 ? labels.joined(separator: ".") : nil
  }
}

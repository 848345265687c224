// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine
package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAttestation

extension ParsedArguments {
  /// Reads certificates from the files of a repeatable option. Returns nil if the option is absent.
  package func certificates(_ option: Option<[String]>) throws(CommandFailure) -> [X509Certificate]? {
    guard has(option) else { return nil }
    var certificates: [X509Certificate] = []
    for path in self[option] { certificates += try CertificateFile.certificates(in: path) }
    return certificates
  }

  /// Returns the groups of built-in roots that a repeatable option names.
  package func publishedRoots(_ option: Option<[String]>) throws(CommandFailure) -> Set<PublishedRoot.Group> {
    var groups: Set<PublishedRoot.Group> = []
    for text in self[option] {
      if text == "all" {
        groups.formUnion(PublishedRoot.Group.allCases)
      } else if let group = PublishedRoot.Group(rawValue: text) {
        groups.insert(group)
      } else {
        throw .usage(
          "\(option.name) cannot be \(text.quotedForTerminal)", hint: "list the groups with passkey mds roots")
      }
    }
    return groups
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WireFormats

extension ParsedArguments {
  /// Certificates, from the files of an option that may be repeated; nil where it was not given.
  func certificates(_ name: String) throws(CommandFailure) -> [Certificate]? {
    guard has(name) else { return nil }
    var certificates: [Certificate] = []
    for path in all(name) { certificates += try CertificateFile.certificates(in: path) }
    return certificates
  }

  /// The groups of built-in roots that an option names, which may be repeated.
  func publishedRoots(_ name: String) throws(CommandFailure) -> Set<PublishedRoot.Group> {
    var groups: Set<PublishedRoot.Group> = []
    for text in all(name) {
      if text == "all" {
        groups.formUnion(PublishedRoot.Group.allCases)
      } else if let group = PublishedRoot.Group(rawValue: text) {
        groups.insert(group)
      } else {
        throw .usage("\(name) cannot be \(text.quotedForTerminal)", hint: "passkey mds roots lists the groups")
      }
    }
    return groups
  }
}

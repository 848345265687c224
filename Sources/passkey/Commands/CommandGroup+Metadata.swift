// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey mds`
  static let metadata = Self(
    name: "mds",
    summary: "read FIDO metadata about authenticators",
    discussion: [
      """
      Reads a BLOB of the FIDO Metadata Service, as downloaded from https://mds.fidoalliance.org. Verifies its \
      signature and the path from its signer to GlobalSign's root R3 before it shows any content. Also lists the \
      built-in roots of attestation authorities, and looks up certificates in revocation lists.
      """
    ],
    members: [
      MetadataVerifyCommand.self, MetadataShowCommand.self, MetadataFindCommand.self, MetadataRootsCommand.self,
      MetadataRevokedCommand.self,
    ])
}

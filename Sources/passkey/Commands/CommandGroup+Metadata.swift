// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey mds`
  static let metadata = Self(
    name: "mds",
    summary: "read FIDO metadata about authenticators",
    discussion: [
      """
      Reads a BLOB of the FIDO Metadata Service, as it is got from https://mds.fidoalliance.org. Its signature, and the \
      path from its signer to GlobalSign's root R3, are verified before anything in it is shown. Also lists the built-in roots of \
      attestation authorities, and looks certificates up in revocation lists.
      """
    ],
    members: [
      MetadataVerifyCommand.self, MetadataShowCommand.self, MetadataFindCommand.self, MetadataRootsCommand.self,
      MetadataRevokedCommand.self,
    ])
}

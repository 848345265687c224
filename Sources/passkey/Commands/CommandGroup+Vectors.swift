// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey vectors`
  static let vectors = Self(
    name: "vectors",
    summary: "generate WebAuthn test vectors",
    discussion: [
      """
      Valid and invalid ceremonies for testing a WebAuthn implementation: the project's own vectors, and those of the \
      standard.
      """
    ],
    members: [GenerateVectorsCommand.self])
}

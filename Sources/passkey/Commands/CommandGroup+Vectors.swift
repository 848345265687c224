// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

extension CommandGroup {
  /// `passkey vectors`
  static let vectors = Self(
    name: "vectors",
    summary: "make test vectors of WebAuthn",
    discussion: [
      "Ceremonies to try an implementation of WebAuthn on, right ones and wrong ones: the project's own, and the standard's."
    ],
    members: [GenerateVectorsCommand.self])
}

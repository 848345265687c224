// SPDX-License-Identifier: Apache-2.0

extension CommandGroup {
  /// `passkey vectors`
  static let vectors = Self(
    name: "vectors",
    summary: "test vectors of the project's own",
    discussion: ["Ceremonies to try an implementation of WebAuthn on, right ones and wrong ones."],
    members: [GenerateVectorsCommand.self])
}

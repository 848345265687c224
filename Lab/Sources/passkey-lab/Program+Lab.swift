// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyCommands

extension Program {
  /// The program `passkey-lab`. Its commands are those of `passkey`, which runs it, and say so.
  static let lab = Program(
    name: Program.passkey.name, executable: "passkey-lab",
    summary: "the commands of passkey that test servers and apps",
    sections: [
      Section("judge and load servers", [.group(.audit), .command(LoadCommand.self)]),
      Section("make an app's network and browser fail or answer", [.command(ProxyCommand.self), .group(.browser)]),
      Section(
        "explain, compare and make ceremonies",
        [.command(ExplainCommand.self), .command(CompareCommand.self), .group(.vectors)]),
    ])
}

extension CommandGroup {
  /// `passkey audit`
  static let audit = Self(
    standard: AuditCommand.self,
    members: [AuditListCommand.self, AuditDiffCommand.self, AuditLearnCommand.self])
}

extension CommandGroup {
  /// `passkey browser`
  static let browser = Self(
    name: "browser",
    summary: "use a vault's passkeys in a Chromium browser",
    discussion: [
      """
      An extension passes the passkey requests of pages to passkey browser host, which the browser starts. The host \
      checks the origin itself, asks in a window of the extension or at a terminal, and answers with the software authenticator.
      """
    ],
    members: [
      BrowserInstallCommand.self, BrowserUninstallCommand.self, BrowserStatusCommand.self,
      BrowserApproveCommand.self, BrowserHostCommand.self,
    ])
}

extension CommandGroup {
  /// `passkey vectors`
  static let vectors = Self(
    name: "vectors",
    summary: "generate WebAuthn test vectors, play FIDO's server tests",
    discussion: [
      """
      Valid and invalid ceremonies for testing a WebAuthn implementation: the project's own vectors, those of the \
      standard, and FIDO's server tests by their identifiers.
      """
    ],
    members: [GenerateVectorsCommand.self, FIDOVectorsCommand.self])
}

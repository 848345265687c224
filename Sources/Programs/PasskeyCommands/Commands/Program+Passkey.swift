// SPDX-License-Identifier: Apache-2.0

package import PasskeyCommandLine

extension Program {
  /// The program `passkey`.
  package static let passkey = Program(
    name: "passkey", summary: "create, use and inspect passkeys from a shell",
    sections: [
      Section(
        "sign in at a server",
        [
          .command(RegisterCommand.self), .command(SignInCommand.self), .command(WhoAmICommand.self),
          .command(RequestCommand.self), .command(StepUpCommand.self), .command(SessionsCommand.self),
          .group(.passkeys), .group(.email), .group(.recover), .command(SignOutCommand.self),
          .command(SessionCommand.self), .command(DoctorCommand.self), .group(.profile),
        ]),
      Section("do what a browser does", [.command(CreateCommand.self), .command(GetCommand.self)]),
      Section(
        "decode and verify",
        [
          .command(InspectCommand.self), .command(VerifyCommand.self), .group(.metadata),
          .command(AuditProofCommand.self), .group(.receipt),
        ]),
      Section("be an authenticator", [.command(AuthenticatorCommand.self), .group(.keys), .group(.agent)]),
      Section(
        "test servers and apps, with the program passkey-lab",
        [
          .forwarded(audit), .forwarded(load), .forwarded(proxy), .forwarded(browser), .forwarded(explain),
          .forwarded(compare), .forwarded(vectors),
        ]),
    ],
    extensions: [CommandExtension(of: "verify", options: ["--against", "--adapter"], by: compare)])

  private static let audit = lab("audit", "test the passkey endpoints of a live server")
  private static let load = lab("load", "measure how a server performs under load")
  private static let proxy = lab("proxy", "forward to a server with network and protocol faults")
  private static let browser = lab("browser", "use a vault's passkeys in a Chromium browser")
  private static let explain = lab("explain", "explain artifacts in a page on this machine")
  private static let compare = lab("compare", "compare the verdicts of implementations on recorded ceremonies")
  private static let vectors = lab("vectors", "generate WebAuthn test vectors, play FIDO's server tests")

  private static func lab(_ word: String, _ summary: String) -> ForwardedCommand {
    ForwardedCommand(
      word, of: "passkey-lab", summary: summary,
      hint: "install it, or build it in the project's checkout: PASSKEY_LAB=1 swift build --product passkey-lab")
  }
}

extension Diagnostics {
  /// The diagnostic messages of `passkey`.
  package static let passkey = Diagnostics(program: Program.passkey.name)
}

extension CommandGroup {
  /// `passkey passkeys`
  static let passkeys = Self(
    name: "passkeys",
    summary: "manage the passkeys of your account at a server",
    discussion: ["These are the server's records. passkey keys manages the private keys in a vault."],
    members: [
      PasskeysListCommand.self, PasskeysAddCommand.self, PasskeysRenameCommand.self, PasskeysDeleteCommand.self,
    ])
}

extension CommandGroup {
  /// `passkey profile`
  static let profile = Self(
    name: "profile",
    summary: "check the profile of a server, or look up what one may have",
    discussion: [
      """
      A profile describes the routes, messages and cookies of a server in a JSON document, for --profile. \
      Documentation/Profiles.md is a guide.
      """
    ],
    members: [ProfileCheckCommand.self, ProfileShowCommand.self, ProfileVariablesCommand.self])
}

extension CommandGroup {
  /// `passkey receipt`
  static let receipt = Self(
    name: "receipt",
    summary: "verify offline that a user confirmed an action",
    discussion: [
      """
      A receipt is a file with one confirmed action, the signature of the passkey, and the proof that the server's audit \
      log has the confirmation. passkey step-up --receipt writes one. Documentation/Receipts.md specifies the format.
      """
    ],
    members: [ReceiptVerifyCommand.self, ReceiptShowCommand.self, ReceiptUpdateCommand.self])
}

extension CommandGroup {
  /// `passkey email`
  static let email = Self(
    name: "email", summary: "verify or change the email address of your account at a server", discussion: [],
    members: [EmailVerifyCommand.self, EmailChangeCommand.self])

  /// `passkey recover`
  static let recover = Self(
    name: "recover", summary: "recover an account by mail, or cancel that", discussion: [],
    members: [RecoverRequestCommand.self, RecoverCancelCommand.self])
}

extension CommandGroup {
  /// `passkey keys`
  static let keys = Self(
    name: "keys",
    summary: "manage the passkeys in a vault",
    discussion: [
      """
      These commands need the vault's passphrase, not the device's PIN. ID is the beginning of a passkey's id; it must \
      match one passkey only.
      """
    ],
    members: [
      KeysListCommand.self, KeysShowCommand.self, KeysRenameCommand.self, KeysDeleteCommand.self,
      KeysImportCommand.self, KeysExportCommand.self, KeysPINCommand.self, KeysPassphraseCommand.self,
      KeysResetCommand.self,
    ])
}

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

extension CommandGroup {
  /// `passkey agent`
  static let agent = Self(
    name: "agent",
    summary: "keep vaults unlocked",
    discussion: [
      """
      The agent keeps vault keys in memory, so that commands neither ask for the passphrase nor spend time on deriving \
      the key. It listens on passkey/agent in $XDG_RUNTIME_DIR, or on the path in $PASSKEY_AGENT; an empty \
      $PASSKEY_AGENT disables it.
      """,
      """
      Every command that opens a vault asks the agent first, unless an option gives the passphrase. The agent answers \
      only processes of the same user. Any of them can get the key of an unlocked vault, which opens it until its \
      passphrase is changed: lock the agent before you run programs that you do not trust.
      """,
    ],
    members: [
      AgentStartCommand.self, AgentUnlockCommand.self, AgentLockCommand.self, AgentStatusCommand.self,
      AgentStopCommand.self,
    ])

  /// The help paragraph about the exit codes of the agent commands.
  static let agentExitCodes = """
    Exit codes: 0 done, 1 the agent cannot be started or does not answer, 2 invalid usage, 5 an agent is already \
    running, or none is running, 6 the vault cannot be opened, 130 cancelled with Ctrl-C.
    """
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// The output of every command with `--json`, checked against Documentation/JSONOutput.schema.json.
@Suite struct JSONOutputTests {
  /// Commands with the definition that describes their output. They run one after the other, in one folder with one server.
  private static var commands: [(definition: String, command: String)] {
    every.filter { Laboratory.isBuilt || !ofLaboratory.contains($0.definition) }
  }

  /// The commands that `passkey-lab` has.
  private static let ofLaboratory: Set = [
    "passkey-browser-install", "passkey-browser-status", "passkey-browser-uninstall", "passkey-audit",
    "passkey-audit-diff", "passkey-audit-learn", "passkey-audit-list", "passkey-compare",
    "passkey-load",
    "passkey-proxy", "passkey-vectors-fido", "passkey-vectors-generate",
  ]

  private static let every: [(definition: String, command: String)] = [
    ("passkey-server-user-add", "passkey-server user add --json --role admin ada@raxx.app | tee added"),
    ("passkey-register", "\(codeOfAda) passkey register --json --yes --user ada@raxx.app --code-file code \(new)"),
    ("passkey-register", "passkey register --json --yes --user bob@raxx.app"),
    ("passkey-server-user-approve", "passkey-server user approve --json bob@raxx.app"),
    ("passkey-register", "passkey register --json --yes --user eve@raxx.app"),
    ("passkey-server-user-reject", "passkey-server user reject --json eve@raxx.app"),
    ("passkey-sign-in", "passkey sign-in --json --yes --user bob@raxx.app"),
    ("passkey-sign-out", "passkey sign-out --json --user bob@raxx.app"),
    ("passkey-sign-in", "passkey sign-in --json --yes --user ada@raxx.app"),
    ("passkey-whoami", "passkey whoami --json"),
    ("passkey-request", "passkey request --json GET /api/auth/credentials"),
    ("passkey-request", "passkey request --json GET /nothing"),
    ("passkey-step-up", "passkey step-up --json --yes DELETE /api/account"),
    ("passkey-sessions", "passkey sessions --json"),
    ("passkey-sessions", "passkey sessions --json --revoke-others"),
    ("passkey-passkeys-list", "passkey passkeys list --json"),
    ("passkey-profile-check", "passkey profile check --json \(projectFolder)/Examples/Profiles/bookshop.json"),
    ("passkey-profile-variables", "passkey profile variables --json"),
    (
      "passkey-session",
      "printf 'whoami\nsessions\nhelp\nhelp whoami\nrequest GET /healthz\n' | passkey session --json --yes"
    ),
    ("passkey-doctor", "passkey doctor --json"),
    ("passkey-create", "echo '\(creationOptions)' | passkey create --json \(movable)"),
    ("passkey-get", "echo '\(requestOptions)' | passkey get --json --yes --vault movable --origin https://raxx.app"),
    ("passkey-inspect", "printf a2010201 | passkey inspect --json --as cbor"),
    ("passkey-inspect", "passkey inspect --json \(artifacts)/registration-response.json"),
    ("passkey-verify", "passkey verify --json \(artifacts)/cases.json"),
    (
      "passkey-compare",
      "passkey verify --json --adapter '\(projectFolder)/Lab/Tests/passkey-labTests/Transcripts/odd-adapter one' \(artifacts)/cases.json"
    ),
    ("passkey-verify", "passkey verify --json --explain \(response) --origin https://raxx.app"),
    ("passkey-verify", "passkey verify --json \(response) --origin https://other.example"),
    ("passkey-verify", "passkey verify --json \(responseToChallenge) --origin https://raxx.app"),
    ("passkey-mds-verify", "passkey mds verify --json \(metadata)"),
    ("passkey-mds-show", "passkey mds show --json \(metadata)"),
    ("passkey-mds-find", "passkey mds find --json \(metadata) 4711#0001"),
    ("passkey-mds-roots", "passkey mds roots --json"),
    ("passkey-mds-revoked", "echo '\(statusList)' | passkey mds revoked --json --status-list - \(certificate)"),
    ("passkey-vectors-generate", "passkey vectors generate ours --json --output vectors"),
    ("passkey-vectors-generate", "passkey vectors generate fido --json --output fido"),
    ("passkey-vectors-fido", "passkey vectors fido --json"),
    ("passkey-keys-list", "passkey keys list --json"),
    ("passkey-keys-show", "passkey keys show --json --vault movable ''"),
    ("passkey-keys-export", "passkey keys export --json --vault movable '' | tee exported"),
    ("passkey-keys-export", "passkey keys export --json --vault movable --output other ''"),
    ("passkey-keys-delete", "passkey keys delete --json --yes --vault movable ''"),
    ("passkey-keys-import", "passkey keys import --json --vault movable \(artifacts)/credential-exchange.json"),
    ("passkey-keys-delete", "passkey keys delete --json --yes --vault movable SQAA"),
    ("passkey-keys-import", "passkey keys import --json --vault movable exported"),
    ("passkey-keys-rename", "passkey keys rename --json --vault movable '' eve"),
    ("passkey-keys-pin", "echo 1234 >pin; passkey keys pin --json --vault movable --pin-file pin set"),
    ("passkey-keys-pin", "passkey keys pin --json --vault movable --pin-file pin change"),
    ("passkey-keys-passphrase", "echo two >two; passkey keys passphrase --json --new-passphrase-file two \(toMovable)"),
    ("passkey-agent-start", "passkey agent start --json --lock-after 15m"),
    ("passkey-agent-unlock", "passkey agent unlock --json --vault movable --passphrase-file two"),
    ("passkey-agent-status", "passkey agent status --json"),
    ("passkey-agent-lock", "passkey agent lock --json"),
    ("passkey-agent-stop", "passkey agent stop --json"),
    ("passkey-browser-install", "\(inOwnFolders) passkey browser install --json --user-data-dir profile \(faulty)"),
    ("passkey-browser-install", "\(inOwnFolders) passkey browser install --json --packed --user-data-dir profile"),
    ("passkey-browser-status", "\(inOwnFolders) passkey browser status --json"),
    ("passkey-browser-uninstall", "\(inOwnFolders) passkey browser uninstall --json"),
    ("passkey-load", loaded("--accounts 2 --objective 'max<1s' --check-acknowledged")),
    ("passkey-load", loaded("--accounts 2 --clients 1 --max-rate 1 --until-slo 'errors<99%' --keep-accounts")),
    ("passkey-proxy", proxied),
    ("passkey-audit", "passkey audit --json --only session.cookie-domain \"$PASSKEY_SERVER\" | tee audited"),
    ("passkey-audit-list", "passkey audit list --json --group documents"),
    ("passkey-audit-diff", "passkey audit diff --json audited audited"),
    ("passkey-audit-learn", "passkey audit learn --json \(artifacts)/shop.curl"),
    ("passkey-audit-learn", "passkey audit learn --json --output learned.json \(artifacts)/shop.curl"),
    ("passkey-audit-proof", "passkey audit-proof --json --policy \(proof).tlog-policy \(proof).tlog-proof"),
    ("passkey-receipt-verify", "passkey receipt verify --json --rp-id raxx.app --key \(logKey) \(receipt)"),
    ("passkey-receipt-show", "passkey receipt show --json \(receipt)"),
    ("passkey-keys-reset", "passkey keys reset --json --yes --vault movable --passphrase-file two"),
    ("passkey-server-user-list", "passkey-server user list --json"),
    ("passkey-server-user-invite", "passkey-server user invite --json"),
    ("passkey-server-user-recover", "passkey-server user recover --json ada@raxx.app"),
    ("passkey-recover-request", "passkey recover request --json --user ada@raxx.app"),
    ("passkey-recover-cancel", "passkey recover cancel --json --user ada@raxx.app"),
    ("passkey-email-verify", "passkey email verify --json --user ada@raxx.app \(mailedCode)"),
    ("passkey-email-change", "passkey email change --json --yes --user ada@raxx.app \(mailedCode) fay@raxx.app"),
    ("passkey-server-user-disable", "passkey-server user disable --json bob@raxx.app"),
    ("passkey-server-user-enable", "passkey-server user enable --json bob@raxx.app"),
    ("passkey-server-user-roles", "passkey-server user roles --json bob@raxx.app trader"),
    ("passkey-server-user-roles", "passkey-server user roles --json bob@raxx.app"),
    ("passkey-server-user-passkeys", "passkey-server user passkeys --json bob@raxx.app | tee passkeys"),
    (
      "passkey-server-attestation-review",
      "passkey-server attestation review --json --deny-aaguid $(grep -o '[0-9a-f-]\\{36\\}' passkeys | head -n 1)"
    ),
    ("passkey-server-user-sign-out", "passkey-server user sign-out --json bob@raxx.app"),
    ("passkey-server-user-export", "passkey-server user export --json bob@raxx.app"),
    ("passkey-server-user-remove-passkey", "passkey-server user remove-passkey --json --allow-last \(passkeyOfBob)"),
    ("passkey-server-user-erase", "passkey-server user erase --json --yes bob@raxx.app"),
    ("passkey-server-outbox-list", "passkey-server outbox list --json | tee notices"),
    ("passkey-server-outbox-show", "passkey-server outbox show --json \(idOfNotice)"),
    (
      "passkey-passkeys-add",
      "passkey passkeys add --json --yes --to-vault second.vault --name second | tee second"
    ),
    ("passkey-passkeys-rename", "passkey passkeys rename --json \(second) 'the second'"),
    ("passkey-passkeys-delete", "passkey passkeys delete --json --yes \(second)"),
    ("passkey-server-audit-show", "passkey-server audit show --json"),
    ("passkey-server-audit-verify", "passkey-server audit verify --json"),
    ("passkey-server-backup", "passkey-server backup --json copy.sqlite"),
    ("passkey-server-outbox-retry", "\(unclaimed) passkey-server outbox retry --json \(ofCopy)"),
    ("passkey-server-outbox-drop", "passkey-server outbox drop --json \(ofCopy)"),
    ("passkey-server-audit-begin", "passkey-server audit begin --after-restore --json \(ofBackup)"),
    ("passkey-server-audit-verify", "passkey-server audit verify --json \(ofBackup)"),
    ("passkey-server-renew-decoys", "passkey-server renew-decoys --json"),
    ("passkey-server-init", "passkey-server init --json --database new.sqlite --secret new.secret eve@raxx.app"),
    ("passkey-server-init", "passkey-server init --json --database new.sqlite --secret new.secret"),
    ("passkey-server-config-check", "passkey-server config check --json"),
    ("passkey-server-pages-export", "passkey-server pages export --json pages"),
  ]

  /// Commands that fail, with their exit codes and error codes.
  private static let failures: [(command: String, exitCode: Int64, code: String)] = [
    ("passkey frobnicate --json", 2, "command.invalid"),
    ("passkey whoami --json --frobnicate", 2, "command.invalid"),
    ("passkey whoami --json --server http://127.0.0.1:1 --user stranger@raxx.app", 4, "command.refused-by-server"),
    ("passkey sign-in --json --server http://127.0.0.1:1 --yes", 3, "client.unreachable"),
    ("PASSKEY_PASSPHRASE=wrong passkey keys list --json", 6, "vault.wrong-passphrase"),
    ("passkey keys show --json Zzz", 5, "command.refused"),
    ("passkey inspect --json missing.json", 1, "command.file-failed"),
    ("passkey-server user erase --json --yes stranger@raxx.app", 5, "account.unknown"),
  ]

  private static let artifacts = "\(projectFolder)/Examples/artifacts"
  private static let proof = "\(artifacts)/audit"
  private static let receipt = "\(projectFolder)/Examples/Receipts/order.receipt"
  private static let logKey = "\"$(cat '\(projectFolder)/Examples/Receipts/log.vkey')\""
  private static let certificate = "\(artifacts)/certificate.pem"
  private static let metadata = "--root \(certificate) \(artifacts)/metadata.jwt"
  private static let response =
    "--registration \(artifacts)/registration-response.json --options \(artifacts)/creation-options.json"
  private static let responseToChallenge =
    "--registration \(artifacts)/registration-response.json --rp-id raxx.app --challenge \(challenge)"
  private static let challenge = "N647CxDTjbLSA20YfmM8vV5qleUSmdolPpX5hEZTVcg"
  private static let statusList = #"{"entries":{"01":{"status":"SUSPENDED"}}}"#
  private static let codeOfAda = #"sed 's/.*"oneTimeCode":"\([^"]*\)".*/\1/' added >code;"#
  private static let second = #""$(sed 's/.*"id":"\([^"]*\)".*/\1/' second)""#
  private static let passkeyOfBob = #"-- bob@raxx.app "$(sed 's/.*"id":"\([^"]*\)".*/\1/' passkeys)""#
  private static let idOfNotice = #"$(sed 's/.*"id":"\([^"]*\)".*/\1/' notices | head -n 1)"#
  private static let ofCopy = "--destination webhook:hook --database copy.sqlite"
  /// The server may deliver the notice while its database is copied.
  private static let unclaimed =
    "python3 -c \"import sqlite3; c = sqlite3.connect('copy.sqlite'); c.execute('UPDATE outbox SET owner = NULL'); c.commit()\";"
  private static let new = "--vault-cost test"
  private static let inOwnFolders = #"XDG_DATA_HOME="$PWD" XDG_CONFIG_HOME="$PWD""#
  private static let faulty = "--fault signature-empty --approve always"
  private static let transcripts = "\(projectFolder)/Tests/Programs/passkeyTests/Transcripts"
  private static let proxied = #"""
    passkey proxy --json --rule 'GET /healthz: status 503' "$PASSKEY_SERVER" >proxied & \#
    until [ -s proxied ]; do sleep 0.05; done; \#
    python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1])' \#
    "http://$(sed 's/.*"address":"\([^"]*\)".*/\1/' proxied)/healthz"; \#
    until grep -q healthz proxied; do sleep 0.05; done; kill $!; wait $!; cat proxied
    """#
  /// A load on a server of its own, on which accounts can sign in without approval.
  private static func loaded(_ options: String) -> String {
    #"""
    rm -rf loaded; mkdir loaded; (cd loaded; exec passkey-server --listen 127.0.0.1:0 --access-log log \#
    --ceremonies-per-minute 100000 >told 2>&1) & until grep -q serving loaded/told; do sleep 0.05; done; \#
    passkey load --json --duration 1s \#(options) "$(sed -n 's/.*serving.* at //p' loaded/told)"; \#
    status=$?; kill $!; wait $!; rm -rf loaded; (exit $status)
    """#
  }
  private static let ofBackup = "--database copy.sqlite"
  private static let mailedCode = #"--code-command '"\#(transcripts)/mail-code" mails "$PASSKEY_CODE_ADDRESS"'"#
  private static let movable = "\(new) --kind passkey-provider --yes --vault movable --origin https://raxx.app"
  private static let toMovable = "\(new) --vault movable"
  private static let creationOptions = #"""
    {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"YWRh","name":"eve","displayName":"Eve"},\#
    "challenge":"MDEyMzQ1Njc4OWFiY2RlZg","pubKeyCredParams":[{"type":"public-key","alg":-7}],\#
    "authenticatorSelection":{"residentKey":"required","requireResidentKey":true}}
    """#
  private static let requestOptions = #"{"rpId":"raxx.app","challenge":"MDEyMzQ1Njc4OWFiY2RlZg"}"#

  private static func definitions() throws -> JSONValue {
    try JSON.parse(File.bytes("\(projectFolder)/Documentation/JSONOutput.schema.json")[...]).require("$defs")
  }

  @Test func `every command prints what its definition describes, and every failure is an object`() async throws {
    let place = try TemporaryFolder()
    let server = try ServerProcess(
      """
      umask 077; echo whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY= >hook.secret
      echo '{"webhooks":[{"name":"hook","url":"https://hooks.example/","secretFiles":["hook.secret"]}]}' >hooks.json
      exec sh -c 'MAIL_PORT=$("\(Self.transcripts)/mail-server" mails $$)
      exec passkey-server --listen 127.0.0.1:0 --access-log log --sign-up approval --deliveries hooks.json \
      --mail smtp-unencrypted://127.0.0.1:$MAIL_PORT --verify-email off --recovery email'
      """, in: place.path, ready: "serving raxx.app at")
    defer { _ = try? Shell.run("\(Self.settings(server)) passkey agent stop; rm -rf state vectors", in: place.path) }
    let definitions = try Self.definitions()
    let checker = SchemaChecker(schemas: definitions, reference: "#/$defs/")
    func faults(of output: JSONValue, by name: String) throws -> [String] {
      try checker.faults(in: output, by: definitions.require(name), as: name)
    }
    for (name, command) in Self.commands {
      let (outputs, exitCode) = try Self.outputs(of: command, server, in: place.path)
      #expect(!outputs.isEmpty, "\(command): \(exitCode)")
      for (index, output) in outputs.enumerated() {
        // A stream that fails ends with the failure.
        let isFailure = exitCode != 0 && index > 0 && index == outputs.count - 1
        #expect(try faults(of: output, by: isFailure ? "error" : name) == [], "\(command)")
      }
    }
    for (command, exitCode, code) in Self.failures {
      let (outputs, exit) = try Self.outputs(of: command, server, in: place.path)
      let failure = try #require(outputs.first, "\(command)")
      #expect(outputs.count == 1 && exit == exitCode, "\(command): \(exit)")
      #expect(try faults(of: failure, by: "error") == [], "\(command)")
      #expect(try failure.require("exitCode").int64 == exitCode, "\(command)")
      #expect(try failure.require("code").string == code, "\(command)")
    }
  }

  @Test func `the schema has a definition for exactly the commands with --json`() throws {
    let place = try TemporaryFolder()
    let pages = try Shell.run(
      #"for p in passkey passkey-server \#(Laboratory.isBuilt ? "passkey-lab" : ""); do $p manual --output man; done; cd man; grep -l '\\-\\-json' * | sed 's/\.1$//'"#,
      in: place.path)
    let commands = Set(pages.split(separator: "\n").map(String.init))
    let described = try Set(Self.definitions().members.map(\.name).filter { $0.hasPrefix("passkey-") })
      .subtracting(Laboratory.isBuilt ? [] : Self.ofLaboratory)
    #expect(commands == described)
    #expect(commands == Set(Self.commands.map(\.definition)))
    _ = try Shell.run("rm -rf man", in: place.path)
  }

  private static func settings(_ server: ServerProcess) -> String {
    """
    export PASSKEY_SERVER=http://127.0.0.1:\(server.port) PASSKEY_ORIGIN=https://raxx.app PASSKEY_VAULT=vault \
    PASSKEY_PASSPHRASE=only-a-test PASSKEY_AGENT="$PWD/agent" XDG_STATE_HOME="$PWD/state";
    """
  }

  /// Returns the objects on standard output, and the exit code.
  private static func outputs(
    of command: String, _ server: ServerProcess, in folder: String
  ) throws -> (outputs: [JSONValue], exitCode: Int64) {
    var text = try Shell.run("\(settings(server)) { \(command); } 2>told.error", in: folder)[...]
    var exitCode: Int64 = 0
    if let match = text.firstMatch(of: /\[(\d+)\]\n$/) {
      exitCode = try #require(Int64(match.output.1))
      text = text[..<match.range.lowerBound]
    }
    // A document may have several lines.
    if let document = try? JSON.parse(Array(text.utf8)[...]) { return ([document], exitCode) }
    return (try text.split(separator: "\n").map { try JSON.parse(Array($0.utf8)[...]) }, exitCode)
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCommandLine
import PasskeyService
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import passkey_server

@Suite struct AttestationSettingsTests {
  private static func configuration(_ arguments: [String]) throws -> ServerConfiguration {
    let parsed = try ParsedArguments(arguments, for: ServeCommand.specification, of: "passkey-server")
    return try ServerConfiguration(
      Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in
        throw .inputOutput("no \(path)")
      })
  }

  @Test func `the default requests no attestation and trusts no authority`() throws {
    let configuration = try Self.configuration([])
    #expect(configuration.relyingParty.policy.attestationConveyance == .none)
    #expect(configuration.attestation.metadata == nil)
    #expect(configuration.attestation.androidKeyPath == .asGoogleVerifies)
    #expect(configuration.policy.storedAttestation == .ignore)
    #expect(configuration.policy.creationOffer == .never)
    #expect(configuration.policy.conditionalLifetime == .seconds(1800))
    #expect(configuration.policy.uiMode == nil)
  }

  @Test func `settings become the relying party's policy`() throws {
    let (one, two) = ("cb69481e-8ff7-4039-93ec-0a2729a154a8", MetadataSample.aaguid)
    let configuration = try Self.configuration([
      "--attestation", "direct", "--metadata", "blob.jwt", "--allow-aaguid", one, "--deny-aaguid", two,
      "--require-metadata-status", "FIDO_CERTIFIED_L1", "--require-metadata-status", "FIDO_CERTIFIED_L2",
      "--stored-attestation", "refuse", "--passkey-offer", "cross-device", "--autofill-lifetime", "2h",
      "--ui-mode", "immediate", "--android-chains", "strict",
    ])
    let policy = configuration.relyingParty.policy
    #expect(policy.attestationConveyance == .direct)
    #expect(policy.attestation.androidKeyPath == .requiringValidDatesAndMarkedAuthorities)
    #expect(policy.attestation.models.allowed?.map(\.description) == [one])
    #expect(policy.attestation.models.denied.map(\.description) == [two])
    #expect(policy.attestation.models.statuses.map(\.rawValue).sorted() == ["FIDO_CERTIFIED_L1", "FIDO_CERTIFIED_L2"])
    #expect(configuration.attestation.metadata == .file("blob.jwt"))
    #expect(configuration.policy.storedAttestation == .refuse)
    #expect(configuration.policy.creationOffer == .afterCrossDevice)
    #expect(configuration.policy.conditionalLifetime == .seconds(7200))
    #expect(configuration.policy.uiMode == .immediate)
    #expect(configuration.warnings == [])
  }

  @Test func `metadata of a URL are cached beside the database, or beside the secret`() throws {
    let url = "https://mds3.fidoalliance.org/"
    #expect(
      try Self.configuration(["--metadata", url, "--database", "db/a.sqlite"]).attestation.metadata
        == .url(url, cache: "db/a.sqlite.metadata"))
    #expect(
      try Self.configuration(["--metadata", url, "--database", "postgres://raxx@localhost/raxx", "--secret", "s/k"])
        .attestation.metadata == .url(url, cache: "s/k.metadata"))
    #expect(
      try Self.configuration(["--metadata", "http://127.0.0.1:8090/blob"]).attestation.metadata
        == .url("http://127.0.0.1:8090/blob", cache: "passkey.sqlite.metadata"))
  }

  @Test(arguments: [
    (["--metadata", "http://mds.example/blob"], "--metadata cannot be"),
    (["--metadata", "http://localhost.evil.example/"], "--metadata cannot be"),
    (["--metadata", "http://localhost:80@evil.example/"], "--metadata cannot be"),
    (["--metadata", "https://mds.example@evil.example/"], "--metadata cannot be"),
    (["--metadata", "ftp://mds.example/blob"], "--metadata cannot be"),
    (["--attestation", "direct", "--allow-aaguid", "abc"], "--allow-aaguid cannot be"),
    (["--deny-aaguid", "abc"], "--deny-aaguid cannot be"),
    (["--require-metadata-status", "a b"], "--require-metadata-status cannot be"),
    (["--allow-aaguid", MetadataSample.aaguid], "--allow-aaguid needs attestation"),
    (["--android-chains", "strict"], "--android-chains needs attestation"),
    (["--attestation-status-list", "list.json"], "--attestation-status-list needs attestation"),
    (["--attestation", "direct", "--require-metadata-status", "FIDO_CERTIFIED"], "needs metadata"),
    (["--metadata-root", "root.pem"], "--metadata-root needs metadata"),
    (["--stored-attestation", "maybe"], "--stored-attestation"), (["--ui-mode", "loud"], "--ui-mode"),
    (["--autofill-lifetime", "25h"], "--autofill-lifetime cannot be"),
  ])
  func `an invalid or ineffective setting is refused`(arguments: [String], message: String) throws {
    let error = #expect(throws: CommandFailure.self) { try Self.configuration(arguments) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `a status that no metadata have is warned about`() throws {
    let warnings = try Self.configuration([
      "--attestation", "direct", "--metadata", "b", "--require-metadata-status", "FIDO_CERTIFIED_1",
    ]).warnings
    #expect(warnings == ["--require-metadata-status FIDO_CERTIFIED_1 is not a known status: no model may have it"])
  }

  @Test func `config check verifies the files`() throws {
    let folder = try TemporaryFolder()
    let sample = try MetadataSample()
    try folder.write(sample.root, to: "root.pem")
    try folder.write(String(decoding: sample.blob(3, next: "2099-01-01"), as: UTF8.self) + "\n", to: "blob.jwt")
    try folder.write(#"{"entries":{"01":{"status":"REVOKED"}}}"#, to: "list.json")
    try folder.write("{", to: "broken.json")
    func check(_ options: String) throws -> String {
      try Shell.run("passkey-server config check \(options) 2>&1 | grep -v '^[a-z -]*  '; true", in: folder.path)
    }
    let usable = "--attestation direct --metadata blob.jwt --metadata-root root.pem --attestation-status-list list.json"
    #expect(try check(usable) == "")
    #expect(
      try check("--metadata blob.jwt").hasPrefix(
        "passkey-server: error: \"blob.jwt\" has no usable metadata: metadata."))
    #expect(try check("--metadata missing").hasPrefix("passkey-server: error: cannot read \"missing\""))
    #expect(
      try check("--attestation direct --attestation-status-list broken.json").hasPrefix(
        "passkey-server: error: \"broken.json\" is not a status list: attestation.status-list-malformed"))
    #expect(
      try check("--metadata blob.jwt --metadata-root list.json").hasPrefix("passkey-server: error: \"list.json\""))
  }
}

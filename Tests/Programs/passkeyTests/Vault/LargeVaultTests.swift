// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnTypes

/// A vault with the maximum number of passkeys. `Scripts/bench vault` measures how long a sign-in takes then.
@Suite struct LargeVaultTests {
  @Test func `a device with ten thousand passkeys stays below 100 MB`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/vault"
    let maker = MemoryVault(try .factory(random: .system))
    let example = try File.bytes("\(projectFolder)/Examples/artifacts/passkey.json")
    let time = UnixTime(secondsSince1970: 1_800_000_000)
    _ = try VaultOwner(of: maker).add(CredentialExchangeFile(parsing: example), at: time)
    var state = try maker.read()
    state.passkeys = (0..<10_000).flatMap { (_) in state.passkeys }
    _ = try FileVault.create(at: path, passphrase: SecretBytes(utf8: ""), cost: .test, state: state)
    let process = try AuthenticatorProcess(vault: path)
    for _ in 0..<3 { try process.signIn("raxx.app") }
    // A sanitizer adds memory of its own; the higher limit still detects unbounded growth.
    #expect(try process.peakMemory() < (Sanitizer.isPresent ? 2000 : 100) << 10)
    withExtendedLifetime(process) {}
  }
}

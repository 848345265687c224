// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator
internal import WebAuthnTypes

/// Checks that each passkey of a file is imported into an empty vault or left out, and that an export of the vault
/// contains the imported ones.
func checkCredentialExchange(_ input: Bytes) throws(Violation) {
  guard let file = try? CredentialExchangeFile(parsing: [UInt8](input)) else { return }
  guard let state = try? DeviceState.factory(random: .seeded([1])) else { return }
  let owner = VaultOwner(of: MemoryVault(state), random: .seeded([2]))
  let time = UnixTime(secondsSince1970: 1_800_000_000)
  let result = try? owner.add(file, at: time)
  let count = file.accounts.reduce(0) { (sum, account) in
    sum + account.passkeys.count + account.excludedPasskeys.count
  }
  try require(
    result.map { (result) in result.imported.count + result.excluded.count } == count,
    "a passkey is neither imported nor left out")
  let export = try? owner.exportCredentialExchange(at: time)
  try require(export?.exported == result?.imported, "an imported passkey is not exported")
  let again = try? CredentialExchangeFile(parsing: export?.text ?? [])
  try require(
    again?.accounts.first?.passkeys.map(\.id) == result?.imported, "the round trip lost a passkey")
}

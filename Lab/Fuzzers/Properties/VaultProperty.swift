// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// The input is the decrypted records of a vault file: whether each is sealed or left out, a length, and the content.
/// The file must be rejected or contain a state that survives a round trip, and any changed byte of the sealed file
/// must be detected.
func checkVault(_ input: Bytes) throws(Violation) {
  var reader = ByteReader(input)
  var plaintexts: [Bytes] = []
  while let length = try? reader.readUInt16(), plaintexts.count < 16 {
    plaintexts.append((try? reader.read(Int(length))) ?? reader.readRest())
  }
  // Raw bytes as a vault file must not trap.
  _ = VaultReading.state(in: input)
  guard let file = VaultReading.file(holding: plaintexts) else { return }
  guard let state = VaultReading.state(in: file[...]) else { return }
  try require(
    VaultReading.state(in: VaultReading.file(holding: [state[...]])?[...] ?? []) == state,
    "the round trip changed the state")
  guard let place = plaintexts.last?.last else { return }
  var changed = file
  changed[Int(place) * 131 % file.count] ^= 0x10
  try require(VaultReading.state(in: changed[...]) == nil, "a changed file opens")
}

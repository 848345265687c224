// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WebAuthnAuthenticator
internal import WireFormats

/// The input is the records of a vault file in the clear: whether each is sealed or left out, a length, and what is in it.
/// Whatever they hold, the file is refused or holds a state that is written and read again as it is; and no byte of the
/// sealed file can be changed unseen.
func checkVault(_ input: Bytes) throws(Violation) {
  var reader = ByteReader(input)
  var plaintexts: [Bytes] = []
  while let length = try? reader.readUInt16(), plaintexts.count < 16 {
    plaintexts.append((try? reader.read(Int(length))) ?? reader.readRest())
  }
  // As bytes of a file they are refused, and nothing worse.
  _ = VaultReading.state(in: input)
  guard let file = VaultReading.file(holding: plaintexts) else { return }
  guard let state = VaultReading.state(in: file[...]) else { return }
  try require(
    VaultReading.state(in: VaultReading.file(holding: [state[...]])?[...] ?? []) == state,
    "written, and read as another")
  guard let place = plaintexts.last?.last else { return }
  var changed = file
  changed[Int(place) * 131 % file.count] ^= 0x10
  try require(VaultReading.state(in: changed[...]) == nil, "a changed file opens")
}

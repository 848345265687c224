// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The commands of a vault on a full disk.
@Suite(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk")) struct FullDiskTests {
  @Test func `a reset reports the full disk like every other command`() throws {
    let place = try TemporaryFolder()
    let disk = try SmallDisk(place.path)
    let printed = try Shell.run(
      """
      export PASSKEY_PASSPHRASE=one; passkey authenticator --stdio --vault disk/v --vault-cost test </dev/null
      dd if=/dev/zero of=disk/more bs=4k 2>dd.log; passkey keys reset --yes --vault disk/v
      """, in: place.path)
    #expect(printed == "passkey: error: the disk is full: cannot write the vault \"disk/v\"\n[6]\n")
    withExtendedLifetime(disk) {}
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// Commands on a full disk, and on a read-only one.
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

  @Test(arguments: ["register", "sign-in"])
  func `a session that could not be stored is refused before the first request`(command: String) throws {
    let place = try TemporaryFolder()
    let disk = try SmallDisk(place.path)
    let printed = try Shell.run(
      """
      mount -o remount,ro disk; env -u XDG_STATE_HOME HOME="$PWD/disk" PASSKEY_PASSPHRASE=one passkey \(command) \
      --server http://127.0.0.1:1 --user ada@raxx.app --yes --vault vault; ls
      """, in: place.path)
    #expect(
      printed == """
        passkey: error: cannot create the folder "\(place.path)/disk/.local/state/passkey": read-only file system
        passkey: hint: set XDG_STATE_HOME to a folder that you can write to, or use --no-store
        disk

        """)
    withExtendedLifetime(disk) {}
  }
}

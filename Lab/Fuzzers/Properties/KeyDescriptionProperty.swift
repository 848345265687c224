// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnAttestation

/// Checks that an accepted description has only possible values, and that parsing is deterministic.
func checkKeyDescription(_ input: Bytes) throws(Violation) {
  let read = try accepted(input) { () throws(WireError) in try KeyDescription(der: input) }
  guard let read else { return }
  try require((try? KeyDescription(der: [UInt8](input)[...])) == read, "the description depends on its offset")
  try require((try? KeyDescription(der: ([UInt8](input) + [0])[...])) == nil, "a trailing byte is accepted")
  try require((try? KeyDescription(der: input.dropLast())) == nil, "a truncated description is accepted")
  let isHardware = read.attestationSecurityLevel == .trustedEnvironment || read.attestationSecurityLevel == .strongBox
  try require((read.hardwareAttested != nil) == isHardware, "the hardware level is inconsistent")
  try require(read.attestationSecurityLevel.isAtLeast(.software), "a level below software")
  try require(
    read.attestationSecurityLevel.isAtLeast(.strongBox) == (read.attestationSecurityLevel == .strongBox),
    "a level above the highest")
  for list in [read.softwareEnforced, read.hardwareEnforced] {
    for level in [list.osPatchLevel, list.vendorPatchLevel, list.bootPatchLevel].compactMap(\.self) {
      try require(
        (1...12).contains(level.month) && (1...31).contains(level.day ?? 1), "an invalid patch date: \(level)")
      try require(!(level < level), "a patch level is less than itself")
    }
    try require(list.deviceIdentifiers.keys.allSatisfy { (710...717).contains($0) }, "an unknown device identifier tag")
  }
}

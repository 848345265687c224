// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnAttestation
internal import WireFormats

/// A description that is read has only values that there can be, and says the same when it is read again.
func checkKeyDescription(_ input: Bytes) throws(Violation) {
  let read = try accepted(input) { () throws(WireError) in try KeyDescription(der: input) }
  guard let read else { return }
  try require((try? KeyDescription(der: [UInt8](input)[...])) == read, "another description in another place")
  try require((try? KeyDescription(der: ([UInt8](input) + [0])[...])) == nil, "a byte behind it is passed over")
  try require((try? KeyDescription(der: input.dropLast())) == nil, "half a description")
  let isHardware = read.attestationSecurityLevel == .trustedEnvironment || read.attestationSecurityLevel == .strongBox
  try require((read.hardwareAttested != nil) == isHardware, "hardware that did not attest")
  try require(read.attestationSecurityLevel.isAtLeast(.software), "less than software")
  try require(
    read.attestationSecurityLevel.isAtLeast(.strongBox) == (read.attestationSecurityLevel == .strongBox),
    "a higher level than there is")
  for list in [read.softwareEnforced, read.hardwareEnforced] {
    for level in [list.osPatchLevel, list.vendorPatchLevel, list.bootPatchLevel].compactMap(\.self) {
      try require((1...12).contains(level.month) && (1...31).contains(level.day ?? 1), "patches of no date: \(level)")
      try require(!(level < level), "patches older than themselves")
    }
    try require(list.deviceIdentifiers.keys.allSatisfy { (710...717).contains($0) }, "an identifier of something else")
  }
}

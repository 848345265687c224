// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnAttestation
internal import WireFormats

/// A status list is read as a whole or refused with its one code, and each certificate on it is found.
func checkStatusList(_ input: Bytes) throws(Violation) {
  let list: AttestationStatusList
  do throws(AttestationError) {
    list = try AttestationStatusList(json: input)
  } catch {
    return try require(error.code == .statusListMalformed, "an error of something else: \(error)")
  }
  guard let members = try? JSON.parse(input).require("entries").members else {
    throw Violation(description: "a list without entries")
  }
  var serialNumbers: Set<[UInt8]> = []
  for member in members {
    let digits = member.name.utf8.count.isMultiple(of: 2) ? member.name : "0" + member.name
    guard let bytes = try? Hex.decode(digits) else { throw Violation(description: "an entry that is no number") }
    try require(list.entry(serialNumber: bytes[...]) != nil, "an entry that is not found")
    // DER writes a zero in front of a number whose first bit is set.
    try require(list.entry(serialNumber: ([0] + bytes)[...]) != nil, "an entry that a zero hides")
    serialNumbers.insert(Array(bytes.drop { $0 == 0 }))
  }
  try require(list.count == serialNumbers.count, "entries that got lost")
}

/// A rogue list is read as a whole or refused with its one code.
func checkRogueList(_ input: Bytes) throws(Violation) {
  let list: RogueList
  do throws(AttestationError) {
    list = try RogueList(json: input)
  } catch {
    return try require(error.code == .rogueListMalformed, "an error of something else: \(error)")
  }
  let count = (try? JSON.parse(input).array).map { Array($0).count }
  try require(list.count == count, "entries that got lost")
}

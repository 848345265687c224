// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnAttestation

/// Checks that a status list is parsed completely or rejected with its one code, and finds each listed certificate.
func checkStatusList(_ input: Bytes) throws(Violation) {
  let list: AttestationStatusList
  do throws(AttestationError) {
    list = try AttestationStatusList(json: [UInt8](input))
  } catch {
    return try require(error.code == .statusListMalformed, "an unexpected error: \(error)")
  }
  guard let members = try? JSON.parse(input).require("entries").members else {
    throw Violation(description: "a list without entries")
  }
  var serialNumbers: Set<[UInt8]> = []
  for member in members {
    let digits = member.name.utf8.count.isMultiple(of: 2) ? member.name : "0" + member.name
    guard let bytes = try? Hex.decode(digits) else { throw Violation(description: "an entry is not a number") }
    try require(list.entry(serialNumber: bytes[...]) != nil, "an entry is not found")
    // DER writes a leading zero if the first bit of a number is set.
    try require(list.entry(serialNumber: ([0] + bytes)[...]) != nil, "a leading zero hides an entry")
    serialNumbers.insert(Array(bytes.drop { $0 == 0 }))
  }
  try require(list.count == serialNumbers.count, "entries are missing")
}

/// Checks that a rogue list is parsed completely or rejected with its one code.
func checkRogueList(_ input: Bytes) throws(Violation) {
  let list: RogueList
  do throws(AttestationError) {
    list = try RogueList(json: [UInt8](input))
  } catch {
    return try require(error.code == .rogueListMalformed, "an unexpected error: \(error)")
  }
  let count = (try? JSON.parse(input).array).map { Array($0).count }
  try require(list.count == count, "entries are missing")
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct VaultChangeTests {
  /// Returns the state after encoding, parsing and applying `change`.
  private func applied(_ change: VaultChange, to old: DeviceState) throws -> DeviceState {
    var state = old
    try VaultChange(parsing: change.encoded[...]).apply(to: &state)
    return state
  }

  @Test func `every change of the list leads from one state to the other`() throws {
    let random = RandomSource.seeded([7])
    try PropertyRuns.check(default: 500) { (generator) in
      let old = try DeviceState.sample(passkeys: .random(in: 0...8, using: &generator))
      var new = old
      for number in 0..<Int.random(in: 0...4, using: &generator) {
        let count = new.passkeys.count
        switch Int.random(in: 0...4, using: &generator) {
        case 0: new.passkeys.insert(try .sample(number, random), at: .random(in: 0...count, using: &generator))
        case 1 where count > 0: new.passkeys.remove(at: .random(in: 0..<count, using: &generator))
        case 2 where count > 0: new.passkeys[.random(in: 0..<count, using: &generator)].signCount += 7
        case 3 where count > 1: new.passkeys.shuffle(using: &generator)
        default: new.remainingFingerAttempts = .random(in: 0...5, using: &generator)
        }
      }
      let change = VaultChange(from: old, to: new)
      #expect(try applied(change, to: old).encoded == new.encoded)
      #expect(!change.isEmpty || old.encoded == new.encoded)
    }
  }

  @Test func `the size of a change depends on what changed`() throws {
    let old = try DeviceState.sample(passkeys: 300)
    var new = old
    new.passkeys[150].signCount = 77
    #expect(VaultChange(from: old, to: new).steps == [.init(kind: .replace, index: 150)])
    new = old
    new.passkeys.remove(at: 10)
    #expect(VaultChange(from: old, to: new).steps == [.init(kind: .remove, index: 10)])
    new.passkeys.append(try .sample(1000, .seeded([9])))
    let change = VaultChange(from: old, to: new)
    #expect(change.steps == [.init(kind: .remove, index: 10), .init(kind: .insert, index: 299)])
    #expect(change.encoded.count < 1500)
  }

  @Test func `the large-blob array is written when it changes`() throws {
    var old = try DeviceState.sample()
    old.largeBlobArray = [UInt8](repeating: 7, count: 16_000)
    var new = old
    new.passkeys[0].signCount += 1
    #expect(VaultChange(from: old, to: new).encoded.count < 1500)
    new.largeBlobArray = nil
    #expect(try applied(VaultChange(from: old, to: new), to: old).largeBlobArray == nil)
  }

  @Test(arguments: [(1, 2), (1, .max), (2, 3), (3, 2), (4, 0), (0, 0)])
  func `an index outside the list is refused`(_ kind: UInt8, _ index: UInt32) throws {
    let old = try DeviceState.sample()
    var state = old
    state.passkeys = [old.passkeys[0]]
    let bytes = StateWriter.bytes { (writer) in
      writer.number(UInt8(1))
      writer.bool(true)
      writer.list([index]) { (writer, index) in
        writer.number(kind)
        writer.number(index)
      }
      writer.field(state.encoded)
    }
    var changed = old
    #expect { try VaultChange(parsing: bytes[...]).apply(to: &changed) } throws: { (error) in
      (error as? WireError)?.code == .bytesInvalidValue
    }
  }

  @Test func `corrupt bytes are refused, or read and applied or refused`() throws {
    let old = try DeviceState.sample()
    var new = old
    new.passkeys[0].signCount += 1
    new.passkeys.append(try .sample(1000, .seeded([9])))
    let bytes = VaultChange(from: old, to: new).encoded
    try PropertyRuns.check(default: 2_000) { (generator) in
      let corrupted = Mutation.mutated(bytes, using: &generator)
      guard let change = try? VaultChange(parsing: corrupted[...]) else { return }
      var state = old
      try? change.apply(to: &state)
    }
  }
}

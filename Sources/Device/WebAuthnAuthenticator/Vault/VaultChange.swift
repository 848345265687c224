// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats

// change = version (1) | large-blob array unchanged (1) | steps | state
// step = kind (1) | index (4)
//
// The state is the new state, but its passkeys are only those that the steps insert or replace, one after the other.

/// The difference between two states of a device. Its size depends on the change, not on the number of passkeys.
struct VaultChange {
  /// An edit of the list of passkeys. Its index refers to the list after the preceding steps.
  struct Step: Equatable {
    enum Kind: UInt8 {
      case replace = 1
      case insert = 2
      case remove = 3
    }

    let kind: Kind
    let index: Int
  }

  private(set) var steps: [Step] = []

  /// The new state, with only the inserted and replaced passkeys.
  private(set) var state: DeviceState

  private let keepsLargeBlobs: Bool

  /// Whether the states are equal.
  private(set) var isEmpty = false

  /// Whether the change deletes secrets of the old state, which requires a new file.
  private(set) var erasesSecrets = false

  private static let version: UInt8 = 1

  /// Compares two states.
  init(from old: DeviceState, to new: DeviceState) {
    state = new
    state.passkeys = []
    keepsLargeBlobs = old.largeBlobArray == new.largeBlobArray
    if keepsLargeBlobs { state.largeBlobArray = nil }
    compare(old.passkeys, new.passkeys)
    var rest = old
    rest.passkeys = []
    if keepsLargeBlobs { rest.largeBlobArray = nil }
    isEmpty = steps.isEmpty && keepsLargeBlobs && Self.areSame(rest, state)
    erasesSecrets =
      steps.contains { (step) in step.kind == .remove } || old.pin.map { (pin) in pin.hash != new.pin?.hash } ?? false
      || old.wrapping.key != new.wrapping.key || old.persistentToken != new.persistentToken
  }

  private static func areSame(_ left: DeviceState, _ right: DeviceState) -> Bool {
    // Only small states are compared here, but their encodings may contain private keys.
    var (left, right) = (left.encoded, right.encoded)
    defer {
      left.wipe()
      right.wipe()
    }
    return left == right
  }

  /// Finds the steps in one pass. Passkeys are added and removed one at a time, so a look-ahead of one nearly always
  /// finds the shortest edit. If it does not, the rest of the list is replaced.
  private mutating func compare(_ old: [StoredPasskey], _ new: [StoredPasskey]) {
    var (from, to) = (0, 0)
    while from < old.count, to < new.count {
      if old[from] == new[to] {
        (from, to) = (from + 1, to + 1)
      } else if old[from].id == new[to].id {
        put(.replace, at: to, new[to])
        (from, to) = (from + 1, to + 1)
      } else if from + 1 < old.count, old[from + 1].id == new[to].id {
        steps.append(Step(kind: .remove, index: to))
        from += 1
      } else if to + 1 < new.count, old[from].id == new[to + 1].id {
        put(.insert, at: to, new[to])
        to += 1
      } else {
        break
      }
    }
    for _ in from..<old.count { steps.append(Step(kind: .remove, index: to)) }
    for index in to..<new.count { put(.insert, at: index, new[index]) }
  }

  private mutating func put(_ kind: Step.Kind, at index: Int, _ passkey: StoredPasskey) {
    steps.append(Step(kind: kind, index: index))
    state.passkeys.append(passkey)
  }
}

// MARK: As bytes

extension VaultChange {
  /// The encoded change. It contains private keys, so the caller must wipe it.
  var encoded: [UInt8] {
    var state = state.encoded
    defer { state.wipe() }
    return StateWriter.bytes { (writer) in
      writer.number(Self.version)
      writer.bool(keepsLargeBlobs)
      writer.list(steps) { (writer, step) in
        writer.number(step.kind.rawValue)
        writer.number(UInt32(clamping: step.index))
      }
      writer.field(state)
    }
  }

  /// Decodes a change, which must span all of `bytes`.
  init(parsing bytes: Bytes) throws(WireError) {
    var reader = StateReader(bytes)
    guard try reader.byte() == Self.version else { throw WireError(.bytesUnknownVersion, at: bytes.startIndex) }
    keepsLargeBlobs = try reader.bool()
    steps = try reader.list { (reader) throws(WireError) in
      let start = reader.offset
      guard let kind = Step.Kind(rawValue: try reader.byte()) else { throw WireError(.bytesInvalidValue, at: start) }
      return Step(kind: kind, index: Int(try reader.number32()))
    }
    let start = reader.offset
    let written = try reader.secret()
    try reader.finish()
    do throws(WireError) {
      state = try written.withBytes { (bytes) throws(WireError) in try DeviceState(parsing: bytes) }
    } catch {
      // The offset refers to a copy, so report the field's own.
      throw WireError(error.code, at: start)
    }
  }

  /// Applies the change to the old state.
  func apply(to old: inout DeviceState) throws(WireError) {
    var passkeys = old.passkeys
    // Release the state's reference to the list, so that the list is changed in place without a copy.
    old.passkeys = []
    var changed = state.passkeys[...]
    for step in steps {
      let isInside = step.kind == .insert ? step.index <= passkeys.count : step.index < passkeys.count
      guard isInside else { throw WireError(.bytesInvalidValue, at: 0) }
      guard step.kind != .remove else {
        passkeys.remove(at: step.index)
        continue
      }
      guard let passkey = changed.popFirst() else { throw WireError(.bytesInvalidValue, at: 0) }
      if step.kind == .replace {
        passkeys[step.index] = passkey
      } else {
        passkeys.insert(passkey, at: step.index)
      }
    }
    guard changed.isEmpty else { throw WireError(.bytesInvalidValue, at: 0) }
    let largeBlobArray = old.largeBlobArray
    old = state
    old.passkeys = passkeys
    if keepsLargeBlobs { old.largeBlobArray = largeBlobArray }
  }
}

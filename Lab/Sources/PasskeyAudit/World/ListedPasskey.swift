// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An entry of the passkeys in options.
struct ListedPasskey: Hashable, Sendable {
  let id: [UInt8]
  /// The paths of the members.
  let members: Set<String>

  /// Returns nil for an entry without an ID.
  init?(_ entry: JSONValue) {
    guard let id = (try? entry["id"]?.base64URL) ?? nil else { return nil }
    self.id = id
    members = entry.memberPaths
  }

  /// Returns how a passkey differs from all decoys; nil if a decoy can be like it.
  ///
  /// Passkeys of different makers differ in the length of their IDs. Decoys whose length never varies show which names are
  /// unknown.
  func difference(from decoys: [ListedPasskey]) -> String? {
    guard let first = decoys.first else { return nil }
    if !decoys.contains(where: { $0.members == members }) {
      let names = members.symmetricDifference(first.members).sorted().joined(separator: ", ")
      return "the passkeys of known and unknown names differ in \(names)"
    }
    let lengths = Set(decoys.map(\.id.count))
    guard lengths.count == 1, !lengths.contains(id.count) else { return nil }
    return "the IDs of passkeys of unknown names all have \(first.id.count) bytes, those of a known one \(id.count)"
  }
}

extension JSONValue {
  /// The paths of all members, such as `user.id`. The elements of a list have one path, such as `transports[]`.
  var memberPaths: Set<String> {
    var paths: Set<String> = []
    collectPaths("", into: &paths)
    return paths
  }

  private func collectPaths(_ path: String, into paths: inout Set<String>) {
    if kind == .object {
      for member in (try? members).map({ Array($0) }) ?? [] {
        let own = path.isEmpty ? member.name : "\(path).\(member.name)"
        paths.insert(own)
        member.value.collectPaths(own, into: &paths)
      }
    } else if kind == .array {
      for element in (try? array).map({ Array($0) }) ?? [] {
        paths.insert("\(path)[]")
        element.collectPaths("\(path)[]", into: &paths)
      }
    }
  }
}

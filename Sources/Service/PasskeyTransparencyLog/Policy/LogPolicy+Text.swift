// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// C2SP tlog-policy:
//   log <vkey> [<url>]
//   witness <name> <vkey> [<url>]
//   group <name> all|any|<k> <member>...
//   quorum <name>|none
//
// Limits:
//   file:                    512 KiB  [192 keys of 1.8 KB]
//   logs, witnesses, groups: 64 each  [the specification asks for 32]

extension LogPolicy {
  /// The largest policy file.
  package static let maximumByteCount = 512 * 1024

  /// Parses a policy file.
  ///
  /// - Throws: `tlog.policy-malformed`, `tlog.key-malformed`, `tlog.key-unsupported` or `tlog.too-large`.
  package init(parsing file: some ByteSource) throws(TransparencyLogError) {
    let file = file.slice
    guard file.count <= Self.maximumByteCount else {
      throw TransparencyLogError(.tooLarge, "a policy of \(file.count) bytes")
    }
    var parser = PolicyParser()
    for (number, line) in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      try parser.read(line, number + 1)
    }
    guard let quorum = parser.quorum else { throw TransparencyLogError(.policyMalformed, "no quorum line") }
    self.init(logs: parser.logs, witnesses: parser.witnesses, quorum: quorum)
  }
}

/// The definitions of a policy file that are read so far.
private struct PolicyParser {
  var logs: [NoteKey] = []
  var witnesses: [NoteKey] = []
  var quorum: LogPolicy.Quorum?

  /// Witnesses and groups by name. Names are bytes: similar characters are different names.
  private var rules: [Bytes: LogPolicy.Quorum] = [:]
  private var members: Set<Bytes> = []
  private var groupCount = 0

  private static let limit = 64

  mutating func read(_ line: Bytes, _ number: Int) throws(TransparencyLogError) {
    let tab = UInt8(ascii: "\t")
    guard line.allSatisfy({ ($0 >= 0x20 || $0 == tab) && $0 != 0x7f }) else {
      throw TransparencyLogError(.policyMalformed, "line \(number) has a control character")
    }
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == tab }
    guard let keyword = words.first, keyword.first != UInt8(ascii: "#") else { return }
    let values = Array(words.dropFirst())
    do throws(TransparencyLogError) {
      switch String(decoding: keyword, as: UTF8.self) {
      case "log": try readLog(values)
      case "witness": try readWitness(values)
      case "group": try readGroup(values)
      case "quorum": try readQuorum(values)
      default: throw TransparencyLogError(.policyMalformed, "unknown keyword")
      }
    } catch {
      throw TransparencyLogError(error.code, "line \(number): \(error.detail)")
    }
  }

  private mutating func readLog(_ values: [Bytes]) throws(TransparencyLogError) {
    guard 1...2 ~= values.count else { throw TransparencyLogError(.policyMalformed, "not log VKEY [URL]") }
    try Self.add(try NoteKey(String(decoding: values[0], as: UTF8.self)), to: &logs)
  }

  private mutating func readWitness(_ values: [Bytes]) throws(TransparencyLogError) {
    guard 2...3 ~= values.count else { throw TransparencyLogError(.policyMalformed, "not witness NAME VKEY [URL]") }
    let key = try NoteKey(String(decoding: values[1], as: UTF8.self))
    guard key.kind.hasTime else {
      throw TransparencyLogError(.keyUnsupported, "\(key.name) is not a key for cosignatures")
    }
    try Self.add(key, to: &witnesses)
    try define(values[0], .witness(key))
  }

  private mutating func readGroup(_ values: [Bytes]) throws(TransparencyLogError) {
    guard values.count >= 3 else { throw TransparencyLogError(.policyMalformed, "not group NAME COUNT MEMBER...") }
    groupCount += 1
    guard groupCount <= Self.limit else { throw TransparencyLogError(.tooLarge, "more than \(Self.limit) groups") }
    var rulesOfMembers: [LogPolicy.Quorum] = []
    for name in values.dropFirst(2) {
      guard let rule = rules[name] else { throw TransparencyLogError(.policyMalformed, "undefined member") }
      guard members.insert(name).inserted else {
        throw TransparencyLogError(.policyMalformed, "a member of two groups")
      }
      rulesOfMembers.append(rule)
    }
    let count =
      switch String(decoding: values[1], as: UTF8.self) {
      case "all": rulesOfMembers.count
      case "any": 1
      default: UInt64(decimal: values[1]).flatMap(Int.init(exactly:)) ?? 0
      }
    guard 1...rulesOfMembers.count ~= count else {
      throw TransparencyLogError(.policyMalformed, "a threshold outside 1 to \(rulesOfMembers.count)")
    }
    try define(values[0], .threshold(count, of: rulesOfMembers))
  }

  private mutating func readQuorum(_ values: [Bytes]) throws(TransparencyLogError) {
    guard values.count == 1, quorum == nil else {
      throw TransparencyLogError(.policyMalformed, "not one quorum NAME")
    }
    guard let rule = values[0].elementsEqual("none".utf8) ? LogPolicy.Quorum.none : rules[values[0]] else {
      throw TransparencyLogError(.policyMalformed, "undefined quorum")
    }
    quorum = rule
  }

  private mutating func define(_ name: Bytes, _ rule: LogPolicy.Quorum) throws(TransparencyLogError) {
    guard rules[name] == nil, !name.elementsEqual("none".utf8) else {
      throw TransparencyLogError(.policyMalformed, "a name that is defined already")
    }
    rules[name] = rule
  }

  private static func add(_ key: NoteKey, to keys: inout [NoteKey]) throws(TransparencyLogError) {
    guard keys.count < limit else { throw TransparencyLogError(.tooLarge, "more than \(limit) keys") }
    guard !keys.contains(where: { $0.publicKey == key.publicKey }) else {
      throw TransparencyLogError(.policyMalformed, "\(key.name) repeats a public key")
    }
    keys.append(key)
  }
}

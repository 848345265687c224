// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport

@testable import PasskeyMLDSA

/// Compares the implementation with the cases of a file of OpenSSL's test data.
struct EVPTestJudge {
  /// A stanza that the judge does not know.
  struct Unknown: Error {
    let line: Int
  }

  private var keys: [String: [UInt8]] = [:]

  /// Returns whether the implementation behaves as the case requires; nil for a stanza that only defines a key.
  mutating func judge(_ stanza: EVPTestFile.Stanza) throws -> Bool? {
    let words = stanza.kind.value.split(separator: ":").map(String.init)
    func parameters(_ place: Int) throws -> ParameterSet {
      guard words.indices.contains(place), let named = ParameterSet.all.first(where: { $0.description == words[place] })
      else { throw Unknown(line: stanza.line) }
      return named.parameters
    }
    switch stanza.kind.name {
    case "PublicKeyRaw", "PrivateKeyRaw":
      guard words.count == 3 else { throw Unknown(line: stanza.line) }
      keys[words[0]] = hex(words[2])
      return nil
    case "KeyGen":
      return try generates(stanza, parameters(0))
    case "KeyFromData":
      return try reads(stanza, parameters(0))
    case "Sign-Message", "Verify-Message-Public":
      guard words.count == 2, let key = keys[words[1]], stanza["Ctrl message-encoding"] == "1" else {
        throw Unknown(line: stanza.line)
      }
      return try stanza.kind.name == "Sign-Message"
        ? signs(stanza, parameters(0), key) : verifies(stanza, parameters(0), key)
    default: throw Unknown(line: stanza.line)
    }
  }

  private func generates(_ stanza: EVPTestFile.Stanza, _ parameters: ParameterSet) throws -> Bool {
    let key = try PrivateKey(parameters, seed: stanza.bytes("Ctrl hexseed") ?? [])
    return key.publicKey == stanza.bytes("CtrlOut hexpub") && key.expanded == stanza.bytes("CtrlOut hexpriv")
  }

  private func reads(_ stanza: EVPTestFile.Stanza, _ parameters: ParameterSet) -> Bool {
    let isRead =
      if let key = stanza.bytes("Ctrl hexpriv") {
        (try? PrivateKey(parameters, expanded: key)) != nil
      } else {
        (try? PublicKey(parameters, stanza.bytes("Ctrl hexpub") ?? [])) != nil
      }
    return isRead == (stanza["Result"] == nil)
  }

  private func signs(_ stanza: EVPTestFile.Stanza, _ parameters: ParameterSet, _ key: [UInt8]) throws -> Bool {
    let key = try PrivateKey(parameters, expanded: key)
    let isDeterministic = stanza["Ctrl deterministic"] == "1"
    guard let input = stanza.bytes("Input"),
      let randomness = isDeterministic
        ? [UInt8](repeating: 0, count: ParameterSet.randomnessByteCount) : stanza.bytes("Ctrl hextest-entropy")
    else { throw Unknown(line: stanza.line) }
    let signature =
      if stanza["Ctrl mu"] == "1" {
        try? key.sign(representative: input, randomness: randomness.span)
      } else {
        try? key.sign(input, context: stanza.bytes("Ctrl hexcontext-string") ?? [], randomness: randomness)
      }
    return signature == (stanza["Result"] == nil ? stanza.bytes("Output") : nil)
  }

  private func verifies(_ stanza: EVPTestFile.Stanza, _ parameters: ParameterSet, _ key: [UInt8]) throws -> Bool {
    let key = try PublicKey(parameters, key)
    guard let input = stanza.bytes("Input"), let signature = stanza.bytes("Output") else {
      throw Unknown(line: stanza.line)
    }
    let isValid =
      if stanza["Ctrl mu"] == "1" {
        (try? key.verify(signature.span, representative: input)) != nil
      } else {
        key.refusal(of: signature, over: input, context: stanza.bytes("Ctrl hexcontext-string") ?? []) == nil
      }
    return isValid == (stanza["Result"] == nil)
  }
}

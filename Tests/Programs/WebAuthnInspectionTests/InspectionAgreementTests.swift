// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import WebAuthnInspection

/// The tree of an artifact and the parser that decides agree whether the artifact is valid.
@Suite struct InspectionAgreementTests {
  private static func seeds(_ folders: String...) throws -> [[UInt8]] {
    try folders.flatMap { (name) in
      let folder = "\(projectFolder)/Vectors/corpus/\(name)"
      return try File.names(in: folder).map { try File.bytes("\(folder)/\($0)") }
    }
  }

  private struct Disagreement: Error {
    let input: String
    let parser: String
    let tree: String
  }

  private static func compare(
    _ input: [UInt8], _ refusal: (any Error)?, _ problem: InspectionProblem?
  ) throws {
    guard (refusal == nil) != (problem == nil) else { return }
    throw Disagreement(
      input: Hex.encode(input), parser: refusal.map { "\($0)" } ?? "valid", tree: problem.map { "\($0)" } ?? "valid")
  }

  private static func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Returns a seed with mutations. Half of them are wrapped, so that most of the changes happen inside a map's key, a
  /// chunk, a tag or an array.
  private static func input(_ seeds: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
    let seed = seeds.randomElement(using: &generator) ?? []
    let mutated = Mutation.mutated(seed, using: &generator)
    let wrappers: [([UInt8], [UInt8])] = [
      ([0xa1], [0x00]), ([0xa1, 0x81], [0x00]), ([0x5f], [0xff]), ([0x7f], [0xff]), ([0x9f], [0xff]),
      ([0xbf], [0x01, 0xff]),
      ([0xc1], []), ([0x81], []),
    ]
    guard Bool.random(using: &generator), let (head, tail) = wrappers.randomElement(using: &generator) else {
      return mutated
    }
    // Short ones: a mutation of a long seed rarely reaches the beginning.
    return head + (Bool.random(using: &generator) ? mutated : Array(mutated.prefix(4))) + tail
  }

  @Test(arguments: [CBORRules.general, .wellFormed])
  func `the tree of CBOR has a problem exactly if the parser refuses it`(rules: CBORRules) throws {
    let seeds = try Self.seeds("cbor", "cose", "attestation-object", "ctap")
    try PropertyRuns.check { generator in
      let input = Self.input(seeds, &generator)
      let tree = Inspector().cbor(LenientCBORReader.item(input[...], rules: rules), named: "")
      try Self.compare(
        input, Self.error { _ = try CBORValue(parsing: input[...], rules: rules) }, tree.firstProblem?.problem)
    }
  }

  @Test func `the tree of a COSE key has a problem exactly if the parser refuses the key`() throws {
    let seeds = try Self.seeds("cose")
    try PropertyRuns.check { generator in
      let input = Mutation.mutated(seeds.randomElement(using: &generator) ?? [], using: &generator)
      try Self.compare(
        input, Self.error { try COSEKey(parsing: input[...]).requirePointOnCurve() },
        Inspector().inspect(input[...], as: .coseKey).firstProblem?.problem)
    }
  }

  @Test func `the tree of an attestation object has a problem exactly if the relying party cannot parse it`() throws {
    let seeds = try Self.seeds("attestation-object", "attestation")
    try PropertyRuns.check { generator in
      let input = Mutation.mutated(seeds.randomElement(using: &generator) ?? [], using: &generator)
      let refusal = Self.error {
        let object = try AttestationObject(parsing: input[...])
        if let credential = object.authenticatorData.attestedCredentialData {
          try COSEKey(parsing: credential.credentialPublicKey).requirePointOnCurve()
        }
      }
      var tree = Inspector().inspect(input[...], as: .attestationObject)
      if refusal == nil {
        // The parser leaves the statement's members to its format, and extension outputs to the ceremony.
        tree.children.removeAll { $0.name == "attStmt" }
        for index in tree.children.indices { tree.children[index].children.removeAll { $0.name == "extensions" } }
      }
      try Self.compare(input, refusal, tree.firstProblem?.problem)
    }
  }

  @Test func `the tree of authenticator data has a problem exactly if the parser refuses them`() throws {
    let seeds = try Self.seeds("authenticator-data")
    try PropertyRuns.check { generator in
      let input = Mutation.mutated(seeds.randomElement(using: &generator) ?? [], using: &generator)
      let refusal = Self.error {
        let data = try AuthenticatorData(parsing: input[...])
        if let credential = data.attestedCredentialData {
          try COSEKey(parsing: credential.credentialPublicKey).requirePointOnCurve()
        }
      }
      var tree = Inspector().inspect(input[...], as: .authenticatorData)
      // The parser leaves extension outputs to the ceremony.
      if refusal == nil { tree.children.removeAll { $0.name == "extensions" } }
      try Self.compare(input, refusal, tree.firstProblem?.problem)
    }
  }

  @Test func `the tree of client data has a problem exactly if the parser refuses them`() throws {
    let seeds = try Self.seeds("client-data")
    try PropertyRuns.check { generator in
      let input = Mutation.mutated(seeds.randomElement(using: &generator) ?? [], using: &generator)
      try Self.compare(
        input, Self.error { _ = try ClientData(parsing: input[...]) },
        Inspector().inspect(input[...], as: .clientData).firstProblem?.problem)
    }
  }

  @Test func `the tree of a certificate has a problem exactly if the parser refuses it`() throws {
    let seeds = try Self.seeds("certificate")
    try PropertyRuns.check { generator in
      let input = Mutation.mutated(seeds.randomElement(using: &generator) ?? [], using: &generator)
      try Self.compare(
        input, Self.error { _ = try X509Certificate(der: input[...]) },
        Inspector().inspect(input[...], as: .certificate).firstProblem?.problem)
    }
  }

  @Test(arguments: [
    ("a1811c00", "cbor.reserved-head"), ("a1a11b7f00", "cbor.truncated"), ("7f4161ff", "cbor.invalid-chunk"),
    ("5f6161ff", "cbor.invalid-chunk"), ("5f5f4161ffff", "cbor.invalid-chunk"), ("7f01ff", "cbor.invalid-chunk"),
    ("a1811cff", "cbor.reserved-head"), ("a1c11c00", "cbor.reserved-head"), ("a15f1cff00", "cbor.reserved-head"),
  ])
  func `a problem inside a map's key and a wrong chunk are reported`(input: String, code: String) throws {
    let tree = try Inspection(of: [UInt8](input.utf8), as: .cbor).tree
    #expect(tree.firstProblem?.problem.code == code)
    #expect(throws: WireError.self) {
      try CBORValue(parsing: Hex.decode([UInt8](input.utf8)[...])[...], rules: .general)
    }
  }

  @Test func `nested strings of indefinite length end the reading`() throws {
    // A list around them, because underscores alone are base64url.
    let input = [0x81] + [UInt8](repeating: 0x5f, count: Inspection.maximumByteCount - 1)
    #expect(try Inspection(of: input, as: .cbor).tree.firstProblem?.problem.code == "cbor.invalid-chunk")
  }
}

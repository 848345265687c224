// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection

/// Inspection renders every input without stopping the program, and without unescaped text.
@Suite struct InspectionPropertyTests {
  private let artifacts: [[UInt8]]

  init() throws {
    let files = try ExampleArtifacts().files().values.map(\.self)
    // Includes the decoded bytes, because mutated text rarely decodes.
    let readings = try files.flatMap { try InputReading.readings(of: $0).map(\.bytes) }
    artifacts = files + readings
  }

  @Test func `mutated artifacts are rendered as every kind`() throws {
    try PropertyRuns.check(default: 2_000) { generator in
      let input = Mutation.mutated(artifacts.randomElement(using: &generator) ?? [], using: &generator)
      let kind = (ArtifactKind.allCases + [nil, nil, nil]).randomElement(using: &generator) ?? nil
      try Self.inspect(input, as: kind)
    }
  }

  @Test(arguments: ArtifactKind.allCases)
  func `every artifact is rendered as every kind, truncated anywhere`(kind: ArtifactKind) throws {
    for artifact in artifacts {
      try Self.inspect(artifact, as: kind)
      for count in stride(from: 0, to: artifact.count, by: Tier.choose(change: 397, merge: 97, night: 7)) {
        try Self.inspect(Array(artifact.prefix(count)), as: kind)
      }
    }
  }

  @Test func `random bytes are rendered as every kind`() throws {
    try PropertyRuns.check(default: 2_000) { generator in
      let input = generator.bytes(Int.random(in: 0...80, using: &generator))
      try Self.inspect(input, as: (ArtifactKind.allCases + [nil]).randomElement(using: &generator) ?? nil)
    }
  }

  private struct Fault: Error {
    let input: String
    let what: String
  }

  private static func inspect(_ input: [UInt8], as kind: ArtifactKind?) throws {
    let inspection: Inspection
    do throws(InspectionError) {
      inspection = try Inspection(of: input, as: kind)
    } catch {
      return
    }
    let layout = InspectionText(isFull: true, showsOffsets: true)
    for output in [inspection.text(layout), String(decoding: inspection.json(), as: UTF8.self)] {
      // A replacement character, which stands for invalid UTF-8, is harmless.
      if let scalar = output.unicodeScalars.first(where: { $0 != "\n" && !$0.isSafeForTerminal }) {
        throw Fault(input: Hex.encode(input), what: "U+\(String(scalar.value, radix: 16)) is unescaped")
      }
    }
    let hasProblem = inspection.tree.firstProblem != nil
    guard hasProblem == (inspection.tree.problemCount > 0), hasProblem != inspection.tree.isFlawless else {
      throw Fault(input: Hex.encode(input), what: "firstProblem, problemCount and isFlawless disagree")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

@testable import WebAuthnInspection

/// Whatever is handed over, something is printed: no input stops the program, and none reaches the terminal raw.
@Suite struct InspectionPropertyTests {
  private let artifacts: [[UInt8]]

  init() throws {
    let files = try ExampleArtifacts().files().values.map(\.self)
    // Mutations of the text alone would seldom get past base64 and JSON.
    let readings = try files.flatMap { try InputReading.readings(of: $0).map(\.bytes) }
    artifacts = files + readings
  }

  @Test func `spoilt artifacts are printed for every kind`() throws {
    try PropertyRuns.check(default: 2_000) { generator in
      let input = Mutation.mutated(artifacts.randomElement(using: &generator) ?? [], using: &generator)
      let kind = (ArtifactKind.allCases + [nil, nil, nil]).randomElement(using: &generator) ?? nil
      try Self.inspect(input, as: kind)
    }
  }

  @Test(arguments: ArtifactKind.allCases)
  func `every artifact is printed as every kind, cut anywhere`(kind: ArtifactKind) throws {
    for artifact in artifacts {
      try Self.inspect(artifact, as: kind)
      for count in stride(from: 0, to: artifact.count, by: 97) {
        try Self.inspect(Array(artifact.prefix(count)), as: kind)
      }
    }
  }

  @Test func `random bytes are printed for every kind`() throws {
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
      // A replacement character stands for bytes that were no text; it is shown, and harmless.
      if let scalar = output.unicodeScalars.first(where: { $0 != "\n" && !$0.mayBeShown }) {
        throw Fault(input: Hex.encode(input), what: "U+\(String(scalar.value, radix: 16)) is printed")
      }
    }
    let isBlamed = inspection.tree.firstProblem != nil
    guard isBlamed == (inspection.tree.problemCount > 0), isBlamed != inspection.tree.isFlawless else {
      throw Fault(input: Hex.encode(input), what: "the counts of faults disagree")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite struct ExampleArtifactsTests {
  /// `PASSKEY_WRITE_EXAMPLES=1 swift test --filter ExampleArtifacts` writes the files when what makes them has changed.
  private static let writes = unsafe getenv("PASSKEY_WRITE_EXAMPLES") != nil

  @Test func `the artifacts under Examples are what they are said to be made of`() throws {
    for (name, bytes) in try ExampleArtifacts().files() {
      let path = "\(projectFolder)/Examples/artifacts/\(name)"
      if Self.writes { try File.write(bytes, to: path) }
      #expect(try File.bytes(path) == bytes, "\(name)")
    }
  }
}

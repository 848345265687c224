// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport
import Testing

@Suite struct ExampleArtifactsTests {
  /// `PASSKEY_WRITE_EXAMPLES=1 swift test --filter ExampleArtifacts` writes the files after a change of the generator.
  private static let writes = unsafe getenv("PASSKEY_WRITE_EXAMPLES") != nil

  @Test func `the generator makes the files of Examples/artifacts`() throws {
    for (name, bytes) in try ExampleArtifacts().files() {
      let path = "\(projectFolder)/Examples/artifacts/\(name)"
      if Self.writes { try File.write(bytes, to: path) }
      #expect(try File.bytes(path) == bytes, "\(name)")
    }
  }
}

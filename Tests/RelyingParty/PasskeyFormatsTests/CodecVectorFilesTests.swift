// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The files in Vectors/codecs are what their generator writes.
@Suite struct CodecVectorFilesTests {
  @Test func `the generator writes the files of the folder, byte for byte`() throws {
    let folder = "\(projectFolder)/Vectors/codecs"
    let written = try TemporaryFolder()
    let printed = try Shell.run("python3 generate.py '\(written.path)'", in: folder)
    #expect(printed == "")
    let names = try File.names(in: folder).filter { $0.hasSuffix(".json") }
    #expect(names.count >= 7)
    #expect(Set(try File.names(in: written.path)) == Set(names))
    for name in names {
      #expect(try File.bytes("\(folder)/\(name)") == File.bytes("\(written.path)/\(name)"), "\(name)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

/// The programs where they are deployed.
@Suite struct DeploymentTests {
  @Test func `a crash of the service prints no memory`() throws {
    let unit = try File.bytes("\(projectFolder)/Examples/deployment/passkey-server.service")
    #expect(String(decoding: unit, as: UTF8.self).contains("\nEnvironment=SWIFT_BACKTRACE=enable=no\n"))
  }

  /// Runs a command in a mount namespace without /proc.
  private static func runWithoutProc(_ command: String, in place: TemporaryFolder) throws -> String {
    try Shell.run("unshare -m sh -c 'mount --make-rprivate / && umount -l /proc && exec \(command)'", in: place.path)
  }

  static let canHideProc = (try? runWithoutProc("echo hidden", in: TemporaryFolder())) == "hidden\n"

  @Test(
    .enabled(if: canHideProc, "no mount namespaces here"),
    arguments: ["passkey-server --nonsense", "passkey --version"])
  func `without a command line nothing runs`(command: String) throws {
    let place = try TemporaryFolder()
    let name = command.prefix { $0 != " " }
    #expect(
      try Self.runWithoutProc(command, in: place)
        == "\(name): error: the command line cannot be read\n\(name): hint: mount /proc\n[1]\n")
    #expect(try File.names(in: place.path).isEmpty)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import BrowserBridge

@Suite struct BrowserInstallationTests {
  private let folder: TemporaryFolder
  private let installation: BrowserInstallation
  private let configuration: String

  init() throws {
    folder = try TemporaryFolder()
    configuration = "\(folder.path)/config"
    installation = BrowserInstallation(folder: "\(folder.path)/data/browser", configurationFolder: configuration)
    try Folder.create("\(configuration)/chromium")
    try Folder.create("\(folder.path)/data")
  }

  @Test func `the identifier follows from the key in the manifest`() throws {
    let manifest = try #require(BrowserExtension.files.first { $0.name == "manifest.json" })
    let key = try JSON.parse(manifest.content[...]).require("key").base64
    let letters = Digest.sha256(key[...]).prefix(16).flatMap { [$0 >> 4, $0 & 15] }.map { UInt8(ascii: "a") + $0 }
    #expect(String(decoding: letters, as: UTF8.self) == BrowserExtension.identifier)
    #expect(BrowserExtension.isIdentifier(BrowserExtension.identifier))
  }

  @Test func `the extension asks for two permissions, and for no page`() throws {
    let manifest = try JSON.parse(#require(BrowserExtension.files.first { $0.name == "manifest.json" }).content[...])
    let permissions = try manifest.require("permissions").elements { (name) throws(WireError) in try name.string }
    #expect(permissions == ["webAuthenticationProxy", "nativeMessaging"])
    for name in ["host_permissions", "content_scripts", "externally_connectable", "web_accessible_resources"] {
      #expect(try manifest[name] == nil)
    }
  }

  @Test func `uninstall removes exactly what install wrote`() throws {
    try File.write([1], to: "\(configuration)/chromium/Preferences")
    let before = try tree()
    let targets: [BrowserInstallation.Target] = [
      .browser(.chromium), .browser(.edge), .profileFolder("\(folder.path)/profile"),
    ]
    for _ in 1...2 { _ = try installation.install(for: targets, program: "/bin/passkey", arguments: ["--fault", "x"]) }
    let status = try installation.status()
    #expect(status.isExtensionCurrent)
    #expect(status.hosts.map(\.host.target) == ["chromium", "edge", "\(folder.path)/profile"])
    #expect(status.hosts.allSatisfy { $0.missing.isEmpty && $0.host.arguments == ["--fault", "x"] })
    #expect(try installation.uninstall([.browser(.edge)]).map(\.target) == ["edge"])
    #expect(try installation.status().isExtensionCurrent)
    _ = try installation.uninstall(nil)
    #expect(try tree() == before)
    #expect(try installation.status().hosts.isEmpty)
  }

  @Test func `a package is installed where Chromium looks for it, and removed again`() throws {
    let before = try tree()
    let packed = try installation.pack()
    let again = try installation.pack()
    // The key stays, and with it the identifier.
    #expect(packed.identifier == again.identifier)
    #expect(BrowserExtension.isIdentifier(packed.identifier))
    #expect(packed.identifier != BrowserExtension.identifier)
    let profile = "\(folder.path)/profile"
    let targets: [BrowserInstallation.Target] = [.browser(.chromium), .browser(.edge), .profileFolder(profile)]
    _ = try installation.install(for: targets, program: "/bin/passkey", arguments: [], packed: packed)
    for place in ["\(configuration)/chromium", profile] {
      let file = try JSON.parse(File.bytes("\(place)/External Extensions/\(packed.identifier).json")[...])
      #expect(try file.require("external_crx").string == packed.path)
      #expect(try file.require("external_version").string == ExtensionPackage.version)
    }
    #expect(try !File.names(in: "\(configuration)/microsoft-edge").contains("External Extensions"))
    // Installed again without the package, Chromium removes the extension.
    _ = try installation.install(for: [.profileFolder(profile)], program: "/bin/passkey", arguments: [])
    #expect(try File.names(in: "\(profile)/External Extensions") == [])
    _ = try installation.uninstall(nil)
    #expect(try tree() == before)
  }

  @Test func `the policy and the update manifest name the package`() throws {
    let folder = "\(folder.path)/data/a & b"
    let packed = try BrowserInstallation(folder: folder, configurationFolder: configuration).pack(policy: true)
    let policyPath = try #require(packed.policyPath)
    let policy = try JSON.parse(File.bytes(policyPath)[...]).require("ExtensionSettings")
    let settings = try policy.require(packed.identifier)
    #expect(try settings.require("installation_mode").string == "normal_installed")
    let escaped = folder.split(separator: " ").joined(separator: "%20").split(separator: "&").joined(separator: "%26")
    #expect(try settings.require("update_url").string == "file://\(escaped)/update.xml")
    let manifest = String(decoding: try File.bytes("\(folder)/update.xml"), as: UTF8.self)
    #expect(manifest.contains("<app appid=\"\(packed.identifier)\">"))
    #expect(
      manifest.contains("codebase=\"file://\(escaped)/passkey.crx\" version=\"\(ExtensionPackage.version)\""))
    // A policy reaches every user of the machine, and the package is this user's.
    for name in ["packing-key.pem", "passkey.crx", "update.xml", "policy-for-all-users.json"] {
      #expect(try FileStatus(ofFileAt: "\(folder)/\(name)").permissions & 0o777 == 0o600, "\(name)")
    }
  }

  @Test func `a policy for all users is written only on request`() throws {
    let policy = "policy-for-all-users.json"
    let folder = "\(folder.path)/data/browser"
    #expect(try installation.pack().policyPath == nil)
    #expect(try !File.names(in: folder).contains(policy))
    #expect(try installation.pack(policy: true).policyPath == "\(folder)/\(policy)")
    #expect(try File.names(in: folder).contains(policy))
    // The next installation without it removes it.
    _ = try installation.pack()
    #expect(try !File.names(in: folder).contains(policy))
  }

  @Test func `an invalid packing key is reported`() throws {
    try Folder.create("\(folder.path)/data/browser")
    try File.write([UInt8]("no key".utf8), to: "\(folder.path)/data/browser/packing-key.pem")
    let error = #expect(throws: BrowserError.self) { try installation.pack() }
    #expect(error?.code == .packingFailed)
  }

  @Test func `uninstall keeps a folder that has other files`() throws {
    _ = try installation.install(for: [.browser(.chromium)], program: "/bin/passkey", arguments: [])
    let other = "\(configuration)/chromium/NativeMessagingHosts/other.json"
    try File.write([1], to: other)
    _ = try installation.uninstall(nil)
    #expect(try File.names(in: "\(configuration)/chromium/NativeMessagingHosts") == ["other.json"])
  }

  @Test func `a browser without an installation cannot be removed`() throws {
    let error = #expect(throws: BrowserError.self) { try installation.uninstall([.browser(.brave)]) }
    #expect(error?.code == .notInstalled)
  }

  @Test func `a missing file is named`() throws {
    let host = try #require(
      try installation.install(for: [.browser(.chromium)], program: "/bin/passkey", arguments: []).first)
    #expect(unsafe unlink(host.launcher) == 0)
    #expect(try installation.status().hosts.first?.missing == [host.launcher])
    try File.write([1], to: "\(installation.extensionFolder)/background.js")
    #expect(try !installation.status().isExtensionCurrent)
  }

  @Test func `a malformed record is reported`() throws {
    try Folder.create("\(folder.path)/data/browser")
    try File.write([UInt8("{".utf8.first ?? 0)], to: "\(folder.path)/data/browser/installed.json")
    let error = #expect(throws: BrowserError.self) { try installation.status() }
    #expect(error?.code == .recordMalformed)
  }

  @Test func `the manifest lets only our extensions start the host`() throws {
    let other = String(repeating: "a", count: 32)
    let host = try #require(
      try installation.install(
        for: [.browser(.chromium)], program: "/bin/passkey", arguments: [],
        extensions: [BrowserExtension.identifier, other]
      ).first)
    let manifest = try JSON.parse(try File.bytes(host.manifest)[...])
    #expect(try manifest.require("path").string == host.launcher)
    let origins = try manifest.require("allowed_origins").elements { (name) throws(WireError) in try name.string }
    #expect(origins == ["chrome-extension://\(BrowserExtension.identifier)/", "chrome-extension://\(other)/"])
    #expect(try FileStatus(ofFileAt: host.launcher).permissions & 0o111 != 0)
  }

  @Test func `the launcher passes arguments as they are`() async throws {
    let arguments = ["--user", #"it's $HOME `id` "x" \"#, "--vault", "/a b/c"]
    // A program that writes its words, one a line.
    let program = "\(folder.path)/a program"
    try File.write([UInt8]("#!/bin/sh\nprintf '%s\\n' \"$@\"\n".utf8), to: program)
    #expect(unsafe chmod(program, 0o755) == 0)
    let host = try #require(
      try installation.install(for: [.browser(.chromium)], program: program, arguments: arguments).first)
    let run = try PipedProgram(shell: "exec '\(host.launcher)' chrome-extension://x/", in: folder.path)
    let output = try await waiting { try FileDescriptor(number: run.output).readToEnd(limit: 1 << 16) ?? [] }
    let words = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(words == ["browser", "host"] + arguments + ["chrome-extension://x/"])
  }

  /// Returns the paths of all files and folders of the test.
  private func tree(_ path: String? = nil) throws -> [String] {
    let path = path ?? folder.path
    return try File.names(in: path, withHidden: true).flatMap { (name) in
      let inner = "\(path)/\(name)"
      return try [inner] + (FileStatus(ofFileAt: inner).kind == .folder ? tree(inner) : [])
    }
  }
}

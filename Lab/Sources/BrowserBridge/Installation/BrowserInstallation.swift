// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeySystem

/// The extension and its native-messaging hosts on this machine.
///
/// The folder of the installation has the extension and a record of everything that was written elsewhere.
package struct BrowserInstallation: Sendable {
  let folder: String
  private let configurationFolder: String

  /// A browser, or a folder that a browser uses as its profile.
  package enum Target: Hashable, Sendable {
    case browser(BrowserName)
    case profileFolder(String)
  }

  /// The state of an installation.
  package struct Status: Sendable {
    /// Whether every file of the extension has the content of this version.
    package let isExtensionCurrent: Bool
    package let hosts: [(host: InstalledHost, missing: [String])]
  }

  /// Uses a folder of its own, and the user's configuration folder, in which browsers have their settings.
  package init(folder: String, configurationFolder: String) {
    self.folder = folder
    self.configurationFolder = configurationFolder
  }

  /// The folder with the unpacked extension.
  package var extensionFolder: String { "\(folder)/extension" }

  private var recordPath: String { "\(folder)/installed.json" }

  /// The browsers that have a settings folder.
  package var browsers: [BrowserName] {
    BrowserName.allCases.filter { (name) in isFolder("\(configurationFolder)/\(name.configurationFolder)") }
  }

  /// Writes the extension, and the hosts for these targets. Replaces earlier ones.
  ///
  /// With `packed`, Chromium installs the package when it starts next.
  ///
  /// - Throws: `browser-host.file-failed` or `browser-host.record-malformed`.
  package func install(
    for targets: [Target], program: String, arguments: [String], extensions: [String] = [BrowserExtension.identifier],
    packed: PackedExtension? = nil
  ) throws(BrowserError) -> [InstalledHost] {
    try createFolder(extensionFolder)
    for file in BrowserExtension.files { try write(file.content, to: "\(extensionFolder)/\(file.name)", mode: 0o644) }
    var record = try record()
    var installed: [InstalledHost] = []
    for target in targets {
      let host = try makeFolders(of: target, record, arguments, packed)
      let former = record.first { (other) in other.target == host.target }?.externalExtension
      if let former, former != host.externalExtension { try delete(former) }
      record.removeAll { (other) in other.target == host.target }
      record.append(host)
      // Recorded before the files are written, so that an interrupted installation can be removed.
      try write(record)
      try write(host.launcherScript(program: program), to: host.launcher, mode: 0o755)
      try write(host.manifestJSON(extensions: extensions), to: host.manifest, mode: 0o644)
      if let packed, let path = host.externalExtension {
        try write(externalExtensionJSON(packed), to: path, mode: 0o644)
      }
      installed.append(host)
    }
    return installed
  }

  /// Removes the hosts of these targets, or all of them if nil. With the last host, removes the extension.
  ///
  /// - Throws: `browser-host.not-installed`, `browser-host.file-failed` or `browser-host.record-malformed`.
  package func uninstall(_ targets: [Target]?) throws(BrowserError) -> [InstalledHost] {
    let record = try record()
    let names = targets?.map(name)
    for name in names ?? [] where !record.contains(where: { (host) in host.target == name }) {
      throw BrowserError(.notInstalled, name)
    }
    let removed = record.filter { (host) in names?.contains(host.target) ?? true }
    for host in removed {
      for path in host.files { try delete(path) }
      for folder in host.createdFolders { try deleteIfEmpty(folder) }
    }
    let rest = record.filter { (host) in !removed.contains(host) }
    guard rest.isEmpty else {
      try write(rest)
      return removed
    }
    for file in BrowserExtension.files { try delete("\(extensionFolder)/\(file.name)") }
    try deleteIfEmpty(extensionFolder)
    for path in packageFiles { try delete(path) }
    try delete(recordPath)
    try deleteIfEmpty(folder)
    return removed
  }

  /// Returns what is installed, and which of its files are missing.
  ///
  /// - Throws: `browser-host.file-failed` or `browser-host.record-malformed`.
  package func status() throws(BrowserError) -> Status {
    var isCurrent = true
    for file in BrowserExtension.files where try read("\(extensionFolder)/\(file.name)") != file.content {
      isCurrent = false
    }
    var hosts: [(host: InstalledHost, missing: [String])] = []
    for host in try record() {
      var missing: [String] = []
      for path in host.files where try read(path) == nil { missing.append(path) }
      hosts.append((host, missing))
    }
    return Status(isExtensionCurrent: isCurrent, hosts: hosts)
  }
}

// MARK: Folders and files

extension BrowserInstallation {
  private func name(_ target: Target) -> String {
    switch target {
    case .browser(let browser): browser.rawValue
    case .profileFolder(let path): path
    }
  }

  /// Creates the folders of a target's files. Keeps what an earlier installation recorded about it.
  private func makeFolders(
    of target: Target, _ record: [InstalledHost], _ arguments: [String], _ packed: PackedExtension?
  ) throws(BrowserError) -> InstalledHost {
    let settings: String
    var external: String?
    switch target {
    case .browser(let browser):
      settings = "\(configurationFolder)/\(browser.configurationFolder)"
      if browser.readsExternalExtensions { external = "\(settings)/\(Self.externalExtensions)" }
    case .profileFolder(let path):
      settings = path
      external = "\(path)/\(Self.externalExtensions)"
    }
    let hosts = "\(settings)/NativeMessagingHosts"
    let name = name(target)
    var created = record.first { (host) in host.target == name }?.createdFolders ?? []
    for path in [hosts] + (packed == nil ? [] : external.map { (path) in [path] } ?? []) {
      created = missingFolders(path).filter { (folder) in !created.contains(folder) } + created
      try createFolder(path)
    }
    return InstalledHost(
      target: name, folder: hosts, arguments: arguments, createdFolders: created,
      externalExtension: packed.flatMap { (packed) in external.map { (path) in "\(path)/\(packed.identifier).json" } })
  }

  /// The folder in which Chromium looks for packages to install.
  private static let externalExtensions = "External Extensions"

  /// Returns the folder and its parents as far as they are missing, the innermost first.
  private func missingFolders(_ path: String) -> [String] {
    var folder = path
    var missing: [String] = []
    while folder.utf8.count > 1, !isFolder(folder) {
      missing.append(folder)
      folder = FileReplacement.parentFolder(of: folder)
    }
    return missing
  }

  private func isFolder(_ path: String) -> Bool { (try? FileStatus(ofFileAt: path))?.kind == .folder }

  // 64 KiB  [a record of some hundred profile folders]
  private static let maximumByteCount = 1 << 16

  private func record() throws(BrowserError) -> [InstalledHost] {
    guard let bytes = try read(recordPath) else { return [] }
    do throws(WireError) {
      return try JSON.parse(bytes[...]).require("hosts").elements { (host) throws(WireError) in
        try InstalledHost(host)
      }
    } catch {
      throw BrowserError(.recordMalformed, "\(recordPath): \(error)")
    }
  }

  private func write(_ record: [InstalledHost]) throws(BrowserError) {
    let json = JSON.writeObject(.pretty) { (object: inout JSONObjectWriter) in
      object.writeArray("hosts") { (list: inout JSONArrayWriter) in
        for host in record {
          list.writeObject { (object: inout JSONObjectWriter) in host.write(to: &object) }
        }
      }
    }
    try write(json, to: recordPath, mode: 0o600)
  }

  /// Returns nil if there is no such file.
  func read(_ path: String) throws(BrowserError) -> [UInt8]? {
    do throws(SystemError) {
      return try OpenFile(path, .reading).readToEnd(limit: Self.maximumByteCount) ?? []
    } catch {
      if error == .noSuchFile { return nil }
      throw BrowserError(.fileFailed, "cannot read \(path): \(error.message)")
    }
  }

  func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(BrowserError) {
    try mapError(
      FileReplacement.replace(path, with: bytes, draft: "\(path).new", mode: mode, durability: .atomic)
    ) { (error: SystemError) in BrowserError(.fileFailed, "cannot write \(path): \(error.message)") }
  }

  func createFolder(_ path: String) throws(BrowserError) {
    try mapError(Folder.create(path)) { (error: SystemError) in
      BrowserError(.fileFailed, "cannot create \(path): \(error.message)")
    }
  }

  func delete(_ path: String) throws(BrowserError) {
    try mapError(Folder.deleteFile(path)) { (error: SystemError) in
      BrowserError(.fileFailed, "cannot delete \(path): \(error.message)")
    }
  }

  private func deleteIfEmpty(_ path: String) throws(BrowserError) {
    _ = try mapError(Folder.deleteIfEmpty(path)) { (error: SystemError) in
      BrowserError(.fileFailed, "cannot delete \(path): \(error.message)")
    }
  }
}

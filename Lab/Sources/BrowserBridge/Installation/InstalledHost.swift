// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The native-messaging host of one browser, as installed.
package struct InstalledHost: Hashable, Sendable {
  /// The name of the browser, or the path of a profile folder.
  package let target: String
  /// The folder with the two files.
  let folder: String
  /// The options of the host.
  package let arguments: [String]
  /// The folders that the installation created, the innermost first.
  let createdFolders: [String]
  /// The file that makes Chromium install the packed extension; nil without a package.
  let externalExtension: String?

  /// The files of the installation.
  var files: [String] { [manifest, launcher] + (externalExtension.map { (path) in [path] } ?? []) }

  /// The host's manifest, which the browser reads.
  package var manifest: String { "\(folder)/\(BrowserExtension.hostName).json" }

  /// The script that the browser starts.
  package var launcher: String { "\(folder)/\(BrowserExtension.hostName)" }

  init(target: String, folder: String, arguments: [String], createdFolders: [String], externalExtension: String?) {
    self.target = target
    self.folder = folder
    self.arguments = arguments
    self.createdFolders = createdFolders
    self.externalExtension = externalExtension
  }

  init(_ json: JSONValue) throws(WireError) {
    target = try json.require("target").string
    folder = try json.require("folder").string
    arguments = try json.require("arguments").elements { (word) throws(WireError) in try word.string }
    createdFolders = try json.require("createdFolders").elements { (path) throws(WireError) in try path.string }
    externalExtension = try json["externalExtension"]?.string
  }

  func write(to object: inout JSONObjectWriter) {
    object.write("target", target)
    object.write("folder", folder)
    for (name, texts) in [("arguments", arguments), ("createdFolders", createdFolders)] {
      object.writeArray(name) { (list: inout JSONArrayWriter) in
        for text in texts { list.write(.string(text)) }
      }
    }
    if let externalExtension { object.write("externalExtension", externalExtension) }
  }

  /// The content of the manifest. It allows only these extensions to start the host.
  func manifestJSON(extensions: [String]) -> [UInt8] {
    JSON.writeObject(.pretty) { (object: inout JSONObjectWriter) in
      object.write("name", BrowserExtension.hostName)
      object.write("description", "The software authenticator of the passkey command")
      object.write("path", launcher)
      object.write("type", "stdio")
      object.writeArray("allowed_origins") { (list: inout JSONArrayWriter) in
        for identifier in extensions { list.write(.string(BrowserExtension.origin(of: identifier))) }
      }
    } + [UInt8(ascii: "\n")]
  }

  /// The content of the launcher: a manifest cannot give arguments to a host.
  func launcherScript(program: String) -> [UInt8] {
    let words = ([program, "browser", "host"] + arguments).map { (word) in Self.quoted(word) }
    return [UInt8](
      "#!/bin/sh\n# Written by passkey browser install.\nexec \(words.joined(separator: " ")) \"$@\"\n".utf8)
  }

  /// Quotes a word for a shell.
  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

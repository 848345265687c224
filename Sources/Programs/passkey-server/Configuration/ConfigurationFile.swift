// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem

/// A file of settings: one JSON object whose members are named like the settings.
///
/// Unknown members are an error: they are probably misspelled, and ignoring one would silently use a default.
struct ConfigurationFile: Sendable {
  let path: String

  let choices: [Setting: [Settings.Choice]]

  init(path: String, _ bytes: [UInt8]) throws(CommandFailure) {
    let name = path.quotedForTerminal
    var choices: [Setting: [Settings.Choice]] = [:]
    do {
      for member in try JSON.parse(bytes).members {
        let written = member.name
        guard let setting = Setting.all.first(where: { $0.name == written }) else {
          let near = written.nearest(among: Setting.all.map(\.name))
          throw CommandFailure.usage(
            "\(name) has the unknown setting \(written.quotedForTerminal)",
            hint: near.map { "did you mean \($0)?" } ?? "list the settings with passkey-server help serve")
        }
        choices[setting] = try Self.texts(of: member.value, setting).map {
          Settings.Choice(text: $0, place: "\(setting.name) in \(name)")
        }
      }
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .usage("\(name) is not a JSON object of settings: \(error)", hint: #"it is written {"rp-id": "raxx.app"}"#)
    }
    self.path = path
    self.choices = choices
  }

  /// A warning if the file has a password that other users can read.
  var warnings: [String] {
    guard let database = choices[.database]?.first, DatabaseLocation.hasPassword(inURL: database.text),
      let status = try? FileStatus(ofFileAt: path), status.permissions & 0o004 != 0
    else { return [] }
    return [
      "\(path.quotedForTerminal) has the password of the database, and other users can read it: chmod o-rwx, and chgrp to the "
        + "group of the server"
    ]
  }

  private static func texts(of value: JSONValue, _ setting: Setting) throws -> [String] {
    guard !setting.isList else {
      guard let elements = try? value.array else { return [try value.string] }
      return try elements.map { try $0.string }
    }
    if value.kind == .number { return [String(decoding: value.encoded, as: UTF8.self)] }
    return [try value.string]
  }
}

// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import passkey_server

@Suite struct ServerReferenceTests {
  @Test func `ServerReference.md lists every setting`() throws {
    let page = Self.page
    try File.write([UInt8](page.utf8), to: "\(projectFolder)/.build/ServerReference.md")
    let kept = String(decoding: try File.bytes("\(projectFolder)/Documentation/ServerReference.md"), as: UTF8.self)
    #expect(kept == page, "cp .build/ServerReference.md Documentation/")
  }

  private static var page: String {
    let rows = Setting.all.map { (setting) in
      let value = setting.choices.isEmpty ? setting.valueName : setting.choices.joined(separator: ", ")
      let list = setting.isList ? ", repeatable" : ""
      let standard = setting.standard.map { " (\($0))" } ?? ""
      return "| `\(setting.name)` | \(cell(value))\(list) | \(cell(setting.help + standard)) |"
    }
    return """
      # Settings of passkey-server

      Each setting is an option `--NAME VALUE`, a variable `PASSKEY_NAME` in the environment, with `_` for `-`, and a member `NAME` of
      the file that `--config` names. An option goes before a variable, and a variable before the file. A list is a repeated option, a
      text with commas in the environment, and an array in the file. The default is in parentheses. `passkey-server config check` prints
      the settings that apply. This page is generated from them.

      | setting | value | meaning |
      |---|---|---|
      \(rows.joined(separator: "\n"))

      """
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

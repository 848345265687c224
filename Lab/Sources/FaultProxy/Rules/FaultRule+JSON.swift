// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

extension FaultRule {
  // 1 MiB  [a rule takes a line]
  /// The size of the largest file of rules.
  package static let maximumFileByteCount = 1 << 20

  /// Reads a file of rules: `{"rules":[RULE,…]}`. A rule is its text form, or an object with `match`, `fault` and perhaps
  /// `occurrence`.
  ///
  /// - Throws: `proxy.invalid-rule`, `proxy.malformed-rules`.
  package static func rules(inFile text: Bytes) throws(FaultProxyError) -> [FaultRule] {
    var texts: [String] = []
    do throws(WireError) {
      let file = try JSON.parse(text, maximumSize: maximumFileByteCount)
      for value in try file.require("rules").array {
        guard value.kind == .object else {
          texts.append(try value.string)
          continue
        }
        let occurrence: Int? = try value["occurrence"]?.integer()
        let place = try value.require("match").string
        texts.append("\(place)\(occurrence.map { " #\($0)" } ?? ""): \(try value.require("fault").string)")
      }
    } catch {
      throw FaultProxyError(.malformedRules, "\(error)")
    }
    var rules: [FaultRule] = []
    for text in texts { rules.append(try FaultRule(text)) }
    return rules
  }
}

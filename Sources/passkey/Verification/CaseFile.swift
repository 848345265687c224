// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A file of recorded ceremonies, in the format `webauthn-vectors/1`.
enum CaseFile {
  static let schema = "webauthn-vectors/1"

  static func cases(in text: Bytes, named path: String) throws(CommandFailure) -> [VerificationCase] {
    do throws(WireError) {
      let file = try JSON.parse(JSON.withoutByteOrderMark(text), maximumSize: maximumByteCount)
      guard try file["schema"]?.string == schema else {
        throw CommandFailure.verificationFailed(
          "\(path.quotedForTerminal) is not a file of cases", hint: "its schema should be \(schema)")
      }
      var cases: [VerificationCase] = []
      for value in try file.require("cases").array { cases.append(try VerificationCase(value)) }
      return cases
    } catch {
      throw .verificationFailed("\(path.quotedForTerminal): \(error)")
    }
  }

  // 64 MiB  [a case takes some kilobytes]
  static let maximumByteCount = 64 << 20
}

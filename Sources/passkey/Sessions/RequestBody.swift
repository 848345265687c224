// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// The body of a request from an option: the text itself, `@FILE`, or `-` for standard input.
enum RequestBody {
  static let option = OptionSpecification(
    name: "--data", value: .init(name: "TEXT|@FILE|-"),
    help: "the body: text, @FILE, or - for standard input")

  // 1 MiB  [far above the limit of such servers]
  private static let maximumByteCount = 1 << 20

  /// Returns the body. It is empty without the option.
  static func bytes(_ arguments: ParsedArguments) throws(CommandFailure) -> [UInt8] {
    guard let text = arguments[option.name] else { return [] }
    if text == "-" { return try InputFile.bytes("-", limit: maximumByteCount) }
    if text.hasPrefix("@") { return try InputFile.bytes(String(text.dropFirst()), limit: maximumByteCount) }
    return [UInt8](text.utf8)
  }
}

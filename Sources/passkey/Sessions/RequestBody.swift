// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool

/// The bytes of a request, as an option names them: text itself, `@FILE`, or `-` for standard input.
enum RequestBody {
  static let option = OptionSpecification(
    name: "--data", value: .init(name: "TEXT|@FILE|-"),
    help: "the body: as it stands here, a file's, or standard input's")

  // 1 MiB  [a server of this kind takes a fraction of it]
  private static let maximumByteCount = 1 << 20

  /// Empty without the option.
  static func bytes(_ arguments: ParsedArguments) throws(CommandFailure) -> [UInt8] {
    guard let text = arguments[option.name] else { return [] }
    if text == "-" { return try InputFile.bytes("-", limit: maximumByteCount) }
    if text.hasPrefix("@") { return try InputFile.bytes(String(text.dropFirst()), limit: maximumByteCount) }
    return [UInt8](text.utf8)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemCrypto
internal import SystemIO
internal import WireFormats

/// Reads a vault's passphrase from a file, a descriptor, the environment or the terminal. It is never passed on the
/// command line, where other users could see it.
///
/// An empty passphrase is usually the output of a failed command, so it requires `--no-passphrase`.
enum Passphrase {
  static let variable = "PASSKEY_PASSPHRASE"

  static let options = [
    OptionSpecification(
      name: "--passphrase-file", value: .init(name: "FILE"),
      help: "read the vault's passphrase from this file's first line ($\(variable) contains the passphrase itself)"),
    OptionSpecification(
      name: "--passphrase-fd", value: .init(name: "NUMBER"),
      help: "read the vault's passphrase from the first line of this file descriptor"),
    OptionSpecification(name: "--no-passphrase", help: "use an empty passphrase; for tests only"),
  ]

  // 4 KiB  [longer than any passphrase; a larger file was named by mistake and is reported]
  private static let maximumByteCount = 4096

  /// Returns the passphrase of a vault. A new vault's passphrase must be typed twice at the terminal.
  static func read(
    _ arguments: ParsedArguments, for path: String, isNew: Bool
  ) throws(CommandFailure) -> SecretBytes {
    if arguments.has("--no-passphrase") { return try none(arguments) }
    if let file = arguments["--passphrase-file"] {
      guard file != "-" else {
        throw .usage("--passphrase-file cannot be standard input", hint: "use --passphrase-fd 0")
      }
      return try requireContent(
        of: firstLine(try InputFile.bytes(file, limit: maximumByteCount)), "the first line of \(file.quotedForTerminal)"
      )
    }
    if let descriptor = try arguments.number("--passphrase-fd") {
      return try requireContent(
        of: firstLine(try bytes(of: Int32(clamping: descriptor))), "the first line of descriptor \(descriptor)")
    }
    if let value = unsafe getenv(variable) {
      return try requireContent(of: unsafe SecretBytes(utf8: String(cString: value)), variable)
    }
    return try ask(for: path, isNew: isNew)
  }

  /// Returns the empty passphrase. Throws if another source is given too.
  private static func none(_ arguments: ParsedArguments) throws(CommandFailure) -> SecretBytes {
    for other in ["--passphrase-file", "--passphrase-fd"] where arguments.has(other) {
      throw .usage("--no-passphrase cannot be combined with \(other)", hint: "use only one of them")
    }
    return SecretBytes([])
  }

  private static func requireContent(
    of passphrase: SecretBytes, _ source: String
  ) throws(CommandFailure) -> SecretBytes {
    guard passphrase.count > 0 else {
      throw .vault(
        "the passphrase is empty: \(source) has no text",
        hint: "check the command that provides it; --no-passphrase uses an empty passphrase")
    }
    return passphrase
  }

  /// Reads the new passphrase of an existing vault.
  static func replacement(_ arguments: ParsedArguments, for path: String) throws(CommandFailure) -> SecretBytes {
    if let file = arguments["--new-passphrase-file"] {
      return firstLine(try InputFile.bytes(file, limit: maximumByteCount))
    }
    guard Terminal() != nil else {
      throw .vault(
        "no new passphrase was given, and there is no terminal to ask at",
        hint: "read it from a file with --new-passphrase-file")
    }
    return try ask(for: path, isNew: true)
  }

  /// Whether an option gives the passphrase.
  static func isGiven(_ arguments: ParsedArguments) -> Bool {
    options.contains { (option) in arguments.has(option.name) }
  }

  /// Throws if there is no source for a passphrase.
  static func requireSource(_ arguments: ParsedArguments) throws(CommandFailure) {
    let isInEnvironment = unsafe getenv(variable) != nil
    guard isGiven(arguments) || isInEnvironment || Terminal() != nil else { throw unknown }
  }

  /// Reads a new PIN.
  static func newPIN(_ arguments: ParsedArguments) throws(CommandFailure) -> SecretBytes {
    if let file = arguments["--pin-file"] { return firstLine(try InputFile.bytes(file, limit: maximumByteCount)) }
    guard let terminal = Terminal() else {
      throw .refused("there is no terminal to ask for the PIN at", hint: "read it from a file with --pin-file")
    }
    guard let pin = terminal.askSecretly("new PIN: ") else { throw .refused("no PIN was given") }
    guard terminal.askSecretly("repeat it: ") == pin else {
      throw .refused("the two PINs differ", hint: "nothing was changed: try again")
    }
    return pin
  }

  private static func bytes(of descriptor: Int32) throws(CommandFailure) -> [UInt8] {
    do throws(SystemError) {
      if let bytes = try FileDescriptor(number: descriptor).readToEnd(limit: maximumByteCount) { return bytes }
    } catch {
      throw .inputOutput("cannot read file descriptor \(descriptor): \(error.message.lowercased())")
    }
    throw .inputOutput("file descriptor \(descriptor) has too much data for a passphrase")
  }

  private static func firstLine(_ bytes: [UInt8]) -> SecretBytes {
    let line = bytes.prefix { (byte) in byte != UInt8(ascii: "\n") }
    return SecretBytes(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }

  private static var unknown: CommandFailure {
    .vault(
      "no passphrase was given for the vault, and there is no terminal to ask at",
      hint: "set \(variable), or use --passphrase-file or --passphrase-fd")
  }

  private static func ask(for path: String, isNew: Bool) throws(CommandFailure) -> SecretBytes {
    guard let terminal = Terminal() else { throw unknown }
    let name = path.escapedForTerminal
    guard let passphrase = terminal.askSecretly(isNew ? "new passphrase for \(name): " : "passphrase for \(name): ")
    else { throw .vault("no passphrase was given") }
    guard isNew else { return passphrase }
    guard passphrase.count > 0 else {
      throw .vault("an empty passphrase protects nothing", hint: "for a test, use --no-passphrase")
    }
    guard terminal.askSecretly("repeat it: ") == passphrase else {
      throw .vault("the two passphrases differ", hint: "nothing was created: try again")
    }
    return passphrase
  }
}

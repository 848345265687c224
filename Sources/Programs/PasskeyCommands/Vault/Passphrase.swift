// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem

/// The source of a vault's passphrase: a file, a descriptor, the environment or the terminal. A passphrase is never
/// passed on the command line, where other users could see it.
///
/// An empty passphrase is usually the output of a failed command, so it requires `--no-passphrase`.
struct Passphrase: Sendable {
  private let isEmpty: Bool
  private let file: String?
  private let descriptor: Int32?

  static let variable = "PASSKEY_PASSPHRASE"

  static let passphraseFile = Option(
    "--passphrase-file", "FILE",
    help: "read the vault's passphrase from this file's first line ($\(variable) contains the passphrase itself)")
  static let passphraseDescriptor = Option<UInt64?>(
    "--passphrase-fd", "NUMBER",
    help: "read the vault's passphrase from the first line of this file descriptor")
  private static let noPassphrase = Option("--no-passphrase", help: "use an empty passphrase; for tests only")

  static let options: [any OptionSpecification] = [passphraseFile, passphraseDescriptor, noPassphrase]

  // 4 KiB  [longer than any passphrase; a larger file was named by mistake and is reported]
  private static let maximumByteCount = 4096

  /// Reads the options. Throws if they name several sources.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    isEmpty = arguments[Self.noPassphrase]
    file = arguments[Self.passphraseFile]
    descriptor = try arguments[Self.passphraseDescriptor].map { (number) throws(CommandFailure) in
      // Before this program opens descriptors of its own.
      guard let descriptor = Int32(exactly: number), fcntl(descriptor, F_GETFD) >= 0 else {
        throw .inputOutput(
          "descriptor \(number) is not open",
          hint: "open it for this command, as in --passphrase-fd 3 3<FILE")
      }
      return descriptor
    }
    for other: any OptionSpecification in [Self.passphraseFile, Self.passphraseDescriptor]
    where isEmpty && arguments.has(other) {
      throw .usage("--no-passphrase cannot be combined with \(other.name)", hint: "use only one of them")
    }
    if file != nil, descriptor != nil {
      throw .usage("--passphrase-file cannot be combined with --passphrase-fd", hint: "use only one of them")
    }
    guard file != "-" else {
      throw .usage("--passphrase-file cannot be standard input", hint: "use --passphrase-fd 0")
    }
  }

  /// Returns the passphrase of a vault. A new vault's passphrase must be typed twice at the terminal.
  func read(for path: String, isNew: Bool) throws(CommandFailure) -> SecretBytes {
    if isEmpty { return SecretBytes([]) }
    if let file {
      return try Self.requireContent(of: try Self.firstLine(of: file), "the first line of \(file.quotedForTerminal)")
    }
    if let descriptor {
      return try Self.requireContent(
        of: Self.firstLine(try Self.bytes(of: descriptor)), "the first line of descriptor \(descriptor)")
    }
    if let value = unsafe getenv(Self.variable) {
      return try Self.requireContent(of: unsafe SecretBytes(utf8: String(cString: value)), Self.variable)
    }
    return try Self.ask(for: path, isNew: isNew)
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

  /// Reads the new passphrase of an existing vault from a file, or else from the terminal.
  static func replacement(file: String?, for path: String) throws(CommandFailure) -> SecretBytes {
    if let file {
      let passphrase = try firstLine(of: file)
      guard passphrase.count > 0 else {
        throw .vault("the new passphrase is empty: the first line of \(file.quotedForTerminal) has no text")
      }
      return passphrase
    }
    guard Terminal() != nil else {
      throw .refused(
        "no new passphrase was given, and there is no terminal to ask at",
        hint: "read it from a file with --new-passphrase-file")
    }
    return try ask(for: path, isNew: true)
  }

  /// Whether an option gives the passphrase.
  var isGiven: Bool { isEmpty || file != nil || descriptor != nil }

  /// Whether the user types the passphrase at the terminal.
  var isTyped: Bool {
    let isInEnvironment = unsafe getenv(Self.variable) != nil
    return !isGiven && !isInEnvironment
  }

  /// Throws if there is no source for a passphrase.
  func requireSource() throws(CommandFailure) {
    guard !isTyped || Terminal() != nil else { throw Self.unknown }
  }

  /// Reads a new PIN from a file, or else from the terminal.
  static func newPIN(file: String?) throws(CommandFailure) -> SecretBytes {
    if let file { return try firstLine(of: file) }
    guard let terminal = Terminal() else {
      throw .refused("there is no terminal to ask for the PIN at", hint: "read it from a file with --pin-file")
    }
    guard let pin = try terminal.askSecretly("new PIN: ") else { throw .refused("no PIN was given") }
    guard try terminal.askSecretly("repeat it: ") == pin else {
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

  /// Reads the first line of a file, which contains a passphrase or a PIN.
  static func firstLine(of file: String) throws(CommandFailure) -> SecretBytes {
    firstLine(try InputFile.bytes(file, limit: maximumByteCount))
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
    guard let passphrase = try terminal.askSecretly(isNew ? "new passphrase for \(name): " : "passphrase for \(name): ")
    else { throw .vault("no passphrase was given") }
    guard isNew else { return passphrase }
    guard passphrase.count > 0 else {
      throw .vault("an empty passphrase protects nothing", hint: "for a test, use --no-passphrase")
    }
    guard try terminal.askSecretly("repeat it: ") == passphrase else {
      throw .refused("the two passphrases differ", hint: "nothing was changed: try again")
    }
    return passphrase
  }
}

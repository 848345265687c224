// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyHTTPServer
internal import PasskeyProfiles
internal import PasskeyService
internal import PasskeySystem
internal import WebAuthnTypes

extension ServerConfiguration {
  /// Throws unless the files and folders that `serve` needs are accessible. Creates and writes nothing.
  func requireFiles() throws(CommandFailure) {
    try attestation.requireFiles()
    for path in [tls?.certificatePath, tls?.keyPath].compactMap({ $0 }) {
      guard unsafe access(path, R_OK) != 0 else { continue }
      throw Self.failure("cannot read", path)
    }
    if try SecretFile(path: secretPath).read() == nil { try Self.requireFolder(of: secretPath) }
    if case .file(let path) = database {
      try Self.requireWritable(path)
      // SQLite creates two more files beside the database.
      try Self.requireFolder(of: path)
    }
    if accessLog != "-" { try Self.requireWritable(accessLog) }
    if case .file(let path) = auditLog { try Self.requireWritable(path) }
  }

  /// Reads the profile in a file.
  static func profile(inFile choice: Settings.Choice) throws(CommandFailure) -> ServiceProfile {
    let json = try InputFile.bytes(choice.text)
    do {
      return try ServiceProfile(json: json)
    } catch {
      throw Self.failure("\(choice.text.quotedForTerminal) is not a profile", error)
    }
  }

  /// Throws unless clients of the profile can do what the policy asks of them.
  static func validate(
    _ profile: ServiceProfile, for policy: ServicePolicy, of relyingPartyID: RelyingPartyID
  ) throws(CommandFailure) {
    try mapError(profile.validate(for: policy, of: relyingPartyID)) { (error: ProfileError) in
      Self.failure("the profile \(profile.name.escapedForTerminal) does not fit the settings", error)
    }
  }

  private static func failure(_ summary: String, _ error: ProfileError) -> CommandFailure {
    let place = error.path.isEmpty ? "" : " at \(error.path.escapedForTerminal)"
    let cause = [error.detail, error.wireError.map { "\($0)" } ?? ""].filter { !$0.isEmpty }
      .joined(separator: ": ")
    return .usage(
      "\(summary)\(place): \(cause.escapedForTerminal) (\(error.code.rawValue))",
      hint: "Documentation/Profiles.md describes the format")
  }

  /// Throws unless the path is a writable file or can be created in its folder.
  private static func requireWritable(_ path: String) throws(CommandFailure) {
    guard unsafe access(path, F_OK) == 0 else { return try requireFolder(of: path) }
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      errno = EISDIR
    } else if unsafe access(path, W_OK) == 0 {
      return
    }
    throw failure("cannot write", path)
  }

  private static func requireFolder(of path: String) throws(CommandFailure) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard unsafe access(folder, W_OK | X_OK) != 0 else { return }
    throw failure("cannot write into", folder)
  }

  private static func failure(_ what: String, _ path: String) -> CommandFailure {
    let reason = SystemError(number: errno).message
    return .inputOutput("\(what) \(path.quotedForTerminal): \(reason)")
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnClient

extension CommandFailure {
  /// Describes an error of a session. The device, if there is one, has described failed requests and ceremonies already.
  init(_ error: SessionError, _ options: ServerOptions) {
    switch error {
    case .notSignedIn:
      let user = options.user.map { "\($0.escapedForTerminal) is not" } ?? "no user is"
      self = .refusedByServer("\(user) signed in at \(options.server.text)", hint: Self.signInHint)
    case .endedElsewhere(let session):
      self = .refusedByServer("\(session.description.escapedForTerminal) was signed out", hint: Self.signInHint)
    case .notRenewed(let error):
      let failure = CommandFailure(error)
      switch error.outcome {
      case .unknown?:
        self = failure.hinting(
          "the session may have been renewed at the server: sign in again with passkey sign-in")
      case .notSent?: self = failure.hinting("the session could not be renewed, and no other request was sent")
      case nil: self = failure
      }
    case .notEnded(let session, let error, let undeleted):
      let here = undeleted.map { CommandFailure($0).message } ?? "deleted the local token"
      self = CommandFailure(error).hinting("\(here); at the server the session \(session.ownEnd)")
    case .notStored(let error):
      self = CommandFailure(error).hinting("the session cannot be stored: it ends with this command")
    case .store(let error): self = CommandFailure(error)
    case .failed(let error): self = CommandFailure(error)
    }
  }

  /// Describes an error of the session store.
  init(_ error: PrivateStoreError) {
    switch error {
    case .folderUnknown:
      self = .usage(
        "\(Environment.homeFault), so sessions cannot be stored", hint: "set XDG_STATE_HOME, or use --no-store")
    case .folder(let error): self = CommandFailure(error)
    case .malformed(let path):
      self = .inputOutput("\(path.quotedForTerminal) contains no session that this program can read")
    case .misplaced(let path):
      self = .inputOutput("\(path.quotedForTerminal) contains a session that belongs in another file")
    }
  }

  private init(_ error: PrivateFolderError) {
    switch error {
    case .failed(let operation, let path, let error):
      self = .inputOutput(
        "cannot \(operation.rawValue) \(path.quotedForTerminal): \(error.message)",
        hint: operation == .openFolder
          ? "move the existing file away, or use --no-store"
          : operation == .createFolder ? "set XDG_STATE_HOME to a folder that you can write to, or use --no-store" : nil
      )
    case .folderNotPrivate(let path):
      self = .inputOutput(
        "other users can reach the folder \(path.quotedForTerminal), which is for sessions",
        hint: "if it is yours, run chmod 700 on it")
    case .fileNotPrivate(let path):
      self = .inputOutput(
        "\(path.quotedForTerminal) is not a file that only this user can reach, so it is not used for sessions",
        hint: "delete it, and sign in again")
    case .fileTooLarge(let path):
      self = .inputOutput("\(path.quotedForTerminal) is too large for a session", hint: "delete it")
    }
  }
}

extension SessionNotice {
  /// The line for the user.
  var text: String {
    switch self {
    case .skipped(let error): "\(CommandFailure(error).message): skipped"
    case .previousNotEnded(let session, let error):
      "the previous session could not be ended (\((error.problem?.code ?? error.code.rawValue).escapedForTerminal)), "
        + "and \(session.ownEnd)"
    case .changeNotStored(let error):
      "cannot store the changed session: \(CommandFailure(error).message)"
    }
  }
}

extension ServerSession {
  /// Describes when the session expires at the server without a sign-out.
  var ownEnd: String {
    // A holder of the refresh token could keep the session open until then.
    let end = [expiry, isRenewable ? renewalExpiry : nil].compactMap(\.self).max()
    guard let end else { return "will expire" }
    return end <= Clock.now ? "has expired" : "expires at \(end) at the latest"
  }
}

// SPDX-License-Identifier: Apache-2.0

import COSE
import Glibc
import SystemCrypto
import TestSupport
import WebAuthnAuthenticator
import WebAuthnTypes
import WireFormats

/// `passkey authenticator --stdio`, spoken to by frames, which may be killed at any time.
final class AuthenticatorProcess: Sendable {
  struct Unanswered: Error {
    let description: String
  }

  private let identifier: pid_t
  private let input: Int32
  private let output: Int32
  private let transport: StreamTransport

  /// Starts one with a vault of no passphrase.
  init(vault: String) throws {
    let arguments = [
      "passkey", "authenticator", "--stdio", "--vault", vault, "--vault-cost", "test", "--algorithm", "ES256",
      "--attestation", "none",
    ]
    (identifier, input, output) = try Self.starting.withLock { (_) in try Self.start(arguments) }
    transport = StreamTransport(input: output, output: input)
  }

  deinit {
    kill()
    close(input)
    close(output)
    waitpid(identifier, nil, 0)
  }

  /// Kills it as nothing can be prepared for.
  func kill() {
    Glibc.kill(identifier, SIGKILL)
  }

  /// Registers a user; what is returned was acknowledged.
  func register(_ user: [UInt8]) throws -> CredentialID {
    var request = MakeCredentialRequest(
      clientDataHash: [UInt8](repeating: 1, count: 32)[...], relyingPartyID: "raxx.app", relyingPartyName: nil,
      user: PasskeyUser(id: try UserHandle(user)), parameters: [CredentialParameters(algorithm: .es256)])
    request.options.residentKey = true
    let reply = try MakeCredentialReply(parsing: perform(.makeCredential, request.encoded)[...])
    guard let credential = reply.authenticatorData.attestedCredentialData else {
      throw Unanswered(description: "a credential that is none")
    }
    return try CredentialID(credential.credentialID)
  }

  /// Signs in with whichever passkey there is.
  func signIn(_ relyingPartyID: String) throws {
    let request = GetAssertionRequest(
      relyingPartyID: relyingPartyID, clientDataHash: [UInt8](repeating: 1, count: 32)[...])
    _ = try perform(.getAssertion, request.encoded)
  }

  /// The most memory that it ever had, in KiB.
  func peakMemory() throws -> Int {
    let status = String(decoding: try File.bytes("/proc/\(identifier)/status"), as: UTF8.self)
    let line = status.split(separator: "\n").first { (line) in line.hasPrefix("VmHWM:") }
    guard let number = line?.split(separator: " ").dropLast().last.flatMap({ (text) in Int(text) }) else {
      throw Unanswered(description: "no VmHWM")
    }
    return number
  }

  /// Sends a command and waits for its reply.
  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) throws -> Bytes {
    try withoutBrokenPipeSignal { try transport.send(([Self.cbor, command.rawValue] + parameters)[...]) }
    while case .frame(let frame) = try transport.receive(waitingAtMost: .seconds(600)) {
      guard frame.first == Self.cbor else { continue }
      let status = frame.dropFirst().first ?? 0xff
      guard status == 0 else { throw Unanswered(description: "status \(status)") }
      return frame.dropFirst(2)
    }
    throw Unanswered(description: "no answer")
  }

  /// A program that was killed is told by the write that fails. The signal that comes with it would end the tests; it is
  /// held back in this thread alone, since programs that are started inherit what is ignored.
  private func withoutBrokenPipeSignal(_ body: () throws -> Void) rethrows {
    var brokenPipe = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&brokenPipe)
    unsafe sigaddset(&brokenPipe, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
    defer {
      var atOnce = timespec()
      _ = unsafe sigtimedwait(&brokenPipe, nil, &atOnce)
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    try body()
  }

  private static let cbor: UInt8 = 0x10

  /// One after the other: a pipe that another program inherits does not end when it is closed here.
  private static let starting = Locked(0)

  private static func start(_ arguments: [String]) throws -> (identifier: pid_t, input: Int32, output: Int32) {
    var toProgram: [Int32] = [-1, -1]
    var fromProgram: [Int32] = [-1, -1]
    guard unsafe pipe(&toProgram) == 0, unsafe pipe(&fromProgram) == 0 else {
      throw Unanswered(description: "no pipe")
    }
    for descriptor in toProgram + fromProgram { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer {
      close(toProgram[0])
      close(fromProgram[1])
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toProgram[0], STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromProgram[1], STDOUT_FILENO)
    var argv = unsafe arguments.map { (argument) in unsafe strdup(argument) } + [nil]
    var environment = unsafe [strdup("PASSKEY_PASSPHRASE="), nil]
    defer { unsafe (argv + environment).forEach { (text) in unsafe free(text) } }
    var identifier: pid_t = 0
    let result = unsafe posix_spawn(
      &identifier, "\(builtProgramsFolder)/passkey", &actions, nil, &argv, &environment)
    guard result == 0 else {
      close(toProgram[1])
      close(fromProgram[0])
      throw Unanswered(description: "not started")
    }
    return (identifier, toProgram[1], fromProgram[0])
  }
}

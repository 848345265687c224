// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import Glibc
import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import WebAuthnAuthenticator
import WebAuthnTypes

/// A `passkey authenticator --stdio` process with a frame transport. A test may kill it at any time.
final class AuthenticatorProcess: Sendable {
  struct Unanswered: Error {
    let description: String
  }

  private let program: PipedProgram
  private let transport: StreamTransport

  /// Starts a process with a vault without a passphrase.
  init(vault: String) throws {
    program = try PipedProgram(
      "passkey",
      [
        "authenticator", "--stdio", "--vault", vault, "--no-passphrase", "--vault-cost", "test", "--algorithm", "ES256",
        "--attestation", "none",
      ])
    transport = StreamTransport(input: program.output, output: program.input)
  }

  deinit {
    kill()
  }

  /// Kills the process with SIGKILL.
  func kill() {
    Glibc.kill(program.identifier, SIGKILL)
  }

  /// Registers a user. Returns only after the device has acknowledged the credential.
  func register(_ user: [UInt8]) throws -> CredentialID {
    var request = MakeCredentialRequest(
      clientDataHash: [UInt8](repeating: 1, count: 32)[...], relyingPartyID: "raxx.app", relyingPartyName: nil,
      user: PasskeyUser(id: try UserHandle(user)), parameters: [CredentialParameters(algorithm: .es256)])
    request.options.residentKey = true
    let reply = try MakeCredentialReply(parsing: perform(.makeCredential, request.encoded)[...])
    guard let credential = reply.authenticatorData.attestedCredentialData else {
      throw Unanswered(description: "a reply without a credential")
    }
    return try CredentialID(credential.credentialID)
  }

  /// Signs in with any available passkey.
  func signIn(_ relyingPartyID: String) throws {
    let request = GetAssertionRequest(
      relyingPartyID: relyingPartyID, clientDataHash: [UInt8](repeating: 1, count: 32)[...])
    _ = try perform(.getAssertion, request.encoded)
  }

  /// The peak memory of the process, in KiB.
  func peakMemory() throws -> Int {
    let status = String(decoding: try File.bytes("/proc/\(program.identifier)/status"), as: UTF8.self)
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

  /// Blocks SIGPIPE, so that a killed process is reported by the failing write. Only this thread blocks it, because
  /// child processes would inherit an ignored signal.
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
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// Verifies the user: by the authenticator's built-in method first, then by PIN (CTAP 2.3 §6.5.5.7).
struct UserVerifier: Sendable {
  let authenticator: ConnectedAuthenticator
  let interaction: any ClientInteraction
  let relyingParty: RelyingPartyID

  /// The maximum number of built-in verification attempts [no authenticator allows more, §6.5.2.3].
  private static let maximumAttempts: UInt64 = 25

  /// Runs `body` as a verified user. If built-in verification during a command turns out to be blocked, asks for the
  /// PIN and runs `body` once more.
  func authorized<Value>(
    for permissions: TokenPermissions, _ body: (Authorization) async throws(ClientError) -> Value
  ) async throws(ClientError) -> Value {
    let authorization = try await verify(for: permissions)
    do throws(ClientError) {
      return try await body(authorization)
    } catch {
      guard authorization.isByCommand, error.asksForPIN, canUsePIN else { throw error }
      return try await body(.token(try await tokenUsingPIN(try clientPIN, permissions)))
    }
  }

  /// Verifies the user and returns the authorization for commands with these permissions.
  private func verify(for permissions: TokenPermissions) async throws(ClientError) -> Authorization {
    let info = authenticator.info
    if info.verifiesUsersItself {
      // Before CTAP 2.1 there were no tokens for built-in verification.
      guard info.issuesTokensWithPermissions, PINUVAuthProtocol(of: info) != nil else { return .byCommand }
      if let token = try await tokenUsingVerification(try clientPIN, permissions) { return .token(token) }
    }
    guard info.takesPIN else {
      throw ClientError(.userVerificationUnavailable, "no PIN and no other user verification is set up")
    }
    return .token(try await tokenUsingPIN(try clientPIN, permissions))
  }

  private var canUsePIN: Bool { authenticator.info.takesPIN && PINUVAuthProtocol(of: authenticator.info) != nil }

  private var clientPIN: ClientPIN {
    get throws(ClientError) {
      guard let version = PINUVAuthProtocol(of: authenticator.info) else {
        throw ClientError(.userVerificationUnavailable, "no PIN/UV auth protocol in common")
      }
      return ClientPIN(authenticator: authenticator, version: version)
    }
  }

  /// Returns nil if the PIN has to be used instead.
  private func tokenUsingVerification(
    _ clientPIN: ClientPIN, _ permissions: TokenPermissions
  ) async throws(ClientError) -> PINUVAuthToken? {
    let attempts = min(max(authenticator.info.preferredUserVerificationAttempts ?? 1, 1), Self.maximumAttempts)
    for _ in 0..<attempts {
      let failure: CTAPError
      switch try await clientPIN.tokenUsingVerification(permissions, for: relyingParty) {
      case .success(let token): return token
      case .failure(let error): failure = error
      }
      switch failure.status {
      case .userVerificationInvalid: continue
      case .userVerificationBlocked where authenticator.info.takesPIN: return nil
      default: throw ClientError(failure)
      }
    }
    guard authenticator.info.takesPIN else {
      throw ClientError(.userVerificationFailed, "the authenticator did not recognize the user")
    }
    return nil
  }

  /// Returns whether the PIN has a valid length. An invalid one would only cost an attempt [CTAP 2.3 §6.5.1].
  private static func canBePIN(_ pin: SecretBytes) -> Bool {
    pin.withBytes { (bytes) in bytes.count <= 63 && bytes.count { (byte) in byte & 0xc0 != 0x80 } >= 4 }
  }

  private func tokenUsingPIN(
    _ clientPIN: ClientPIN, _ permissions: TokenPermissions
  ) async throws(ClientError) -> PINUVAuthToken {
    var wrong: [SecretBytes] = []
    while true {
      let attemptsLeft = await clientPIN.retries()
      guard attemptsLeft != 0 else { throw ClientError(.pinBlocked) }
      guard let pin = await interaction.pin(for: relyingParty, attemptsLeft: attemptsLeft) else {
        throw wrong.isEmpty
          ? ClientError(.userVerificationUnavailable, "no PIN was given")
          : ClientError(.pinInvalid, "the PIN is wrong")
      }
      guard Self.canBePIN(pin) else {
        throw ClientError(.pinInvalid, "a PIN has at least 4 characters and at most 63 bytes")
      }
      // A program that always returns the same PIN must not use up all attempts.
      guard !wrong.contains(pin) else { throw ClientError(.pinInvalid, "the PIN is wrong") }
      switch try await clientPIN.token(using: pin, permissions, for: relyingParty) {
      case .success(let token): return token
      case .failure(let error) where error.status == .pinInvalid: wrong.append(pin)
      case .failure(let error): throw ClientError(error)
      }
    }
  }
}

extension ClientError {
  /// Whether built-in verification during a command failed because the PIN has to be entered first
  /// (`CTAP2_ERR_UV_BLOCKED`, or `CTAP2_ERR_PUAT_REQUIRED` if a PIN is set, CTAP 2.3 §6.1.2 and §6.2.2).
  fileprivate var asksForPIN: Bool { code == .userVerificationBlocked || code == .userVerificationUnavailable }
}

// SPDX-License-Identifier: Apache-2.0

import Testing

/// Misuse that the library's types prevent at compile time. Each program differs in one place from one that compiles.
@Suite struct CompilerTests {
  @Test func `a program that finishes each ceremony once compiles`() async throws {
    #expect(try await SwiftCompiler.diagnostics(of: Self.program()) == "")
  }

  @Test func `a registration that is finished twice does not compile`() async throws {
    let diagnostics = try await SwiftCompiler.diagnostics(
      of: Self.program(
        registering: """
          _ = try finishRegistration(response, pending: begun.pending, existing: .notFound, at: now)
          _ = try finishRegistration(response, pending: begun.pending, existing: .notFound, at: now)
          """))
    #expect(diagnostics.contains("error: 'begun' consumed more than once"), "\(diagnostics)")
  }

  @Test func `a sign-in that is finished twice does not compile`() async throws {
    let diagnostics = try await SwiftCompiler.diagnostics(
      of: Self.program(
        signingIn: """
          _ = try finishAuthentication(response, pending: pending, credential: stored, at: now)
          _ = try finishAuthentication(response, pending: pending, credential: stored, at: now)
          """))
    #expect(diagnostics.contains("error: 'pending' consumed more than once"), "\(diagnostics)")
  }

  @Test func `a sign-in that is finished in a loop does not compile`() async throws {
    let diagnostics = try await SwiftCompiler.diagnostics(
      of: Self.program(
        signingIn: """
          for _ in 0..<2 { _ = try finishAuthentication(response, pending: pending, credential: stored, at: now) }
          """))
    #expect(diagnostics.contains("error: 'pending' consumed in a loop"), "\(diagnostics)")
  }

  @Test func `a pending value that is copied does not compile`() async throws {
    let diagnostics = try await SwiftCompiler.diagnostics(
      of: Self.program(
        signingIn: """
          let copy = pending
          _ = try finishAuthentication(response, pending: pending, credential: stored, at: now)
          _ = try finishAuthentication(response, pending: copy, credential: stored, at: now)
          """))
    #expect(diagnostics.contains("error: 'pending' consumed more than once"), "\(diagnostics)")
  }

  @Test func `a registration without an answer about existing credentials does not compile`() async throws {
    let diagnostics = try await SwiftCompiler.diagnostics(
      of: Self.program(registering: "_ = try finishRegistration(response, pending: begun.pending, at: now)"))
    #expect(diagnostics.contains("error: missing argument for parameter 'existing' in call"), "\(diagnostics)")
  }

  @Test func `nil is not accepted as the answer about existing credentials`() async throws {
    let diagnostics = try await SwiftCompiler.diagnostics(
      of: Self.program(
        registering: "_ = try finishRegistration(response, pending: begun.pending, existing: nil, at: now)"))
    #expect(
      diagnostics.contains("error: 'nil' is not compatible with expected argument type 'CredentialLookup'"),
      "\(diagnostics)")
  }

  /// Returns a server with both ceremonies, with these statements in place of the valid ones.
  private static func program(
    registering registration: String =
      "_ = try finishRegistration(response, pending: begun.pending, existing: .notFound, at: now)",
    signingIn signIn: String = "_ = try finishAuthentication(response, pending: pending, credential: stored, at: now)"
  ) -> String {
    """
    import WebAuthnRelyingParty
    import WebAuthnTypes
    import PasskeyFormats

    extension RelyingParty {
      func register(_ user: UserEntity, _ response: RegistrationResponse, at now: UnixTime) throws -> [UInt8] {
        let begun = try beginRegistration(of: user, at: now)
        let options = begun.options
        \(registration)
        return options.json
      }

      func signIn(
        _ response: AuthenticationResponse, _ taken: [UInt8], _ stored: StoredCredential, at now: UnixTime
      ) throws {
        let pending = try PendingAuthentication(taken: taken)
        \(signIn)
      }
    }
    """
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// An authenticator and what it said of itself: one ceremony's end of the line.
struct ConnectedAuthenticator: Sendable {
  let info: AuthenticatorInfo
  let random: RandomSource
  private let authenticator: any Authenticator

  /// Asks it what it is (CTAP 2.3 §6.4).
  init(_ authenticator: any Authenticator, random: RandomSource) async throws(ClientError) {
    self.authenticator = authenticator
    self.random = random
    let reply: Bytes
    do throws(CTAPError) {
      reply = try await authenticator.perform(.getInfo, [])
    } catch {
      throw ClientError(error)
    }
    do throws(FormatError) {
      info = try AuthenticatorInfo(parsing: reply)
    } catch {
      throw ClientError(answer: error)
    }
  }

  /// Carries out a command whose status the caller looks at. A ceremony that was called off goes no further.
  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> Bytes {
    guard !Task.isCancelled else { throw CTAPError(.keepaliveCancel) }
    return try await authenticator.perform(command, parameters[...])
  }

  /// Carries out a command that has to succeed.
  func require(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(ClientError) -> Bytes {
    do throws(CTAPError) {
      return try await perform(command, parameters)
    } catch {
      throw ClientError(error)
    }
  }

  /// Has somebody touch it, or say no, or let the time run out; which of these is nobody's business.
  func awaitGesture(for scope: String) async {
    guard !info.asksForGesture else {
      _ = try? await perform(.selection, [])
      return
    }
    // One from before that waits for a touch before it says that it has none.
    guard let nothing = try? CredentialID([0]) else { return }
    let request = GetAssertionRequest(
      relyingPartyID: scope, clientDataHash: CredentialSearch.worthlessHash,
      allowList: [CredentialDescriptor(id: nothing)])
    _ = try? await perform(.getAssertion, request.encoded)
  }

  /// Reads the answer to makeCredential.
  func credential(_ reply: Bytes) throws(ClientError) -> MakeCredentialReply {
    do throws(FormatError) {
      return try MakeCredentialReply(parsing: reply)
    } catch {
      throw ClientError(answer: error)
    }
  }

  /// Reads the answer to getAssertion or getNextAssertion.
  func assertion(_ reply: Bytes) throws(ClientError) -> GetAssertionReply {
    do throws(FormatError) {
      return try GetAssertionReply(parsing: reply)
    } catch {
      throw ClientError(answer: error)
    }
  }
}

extension ClientError {
  /// The value that stands with `key` in an answer that has no type of its own.
  static func member<Value>(
    _ key: CBORKey, of reply: Bytes, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(ClientError) -> Value {
    do throws(WireError) {
      return try read(CBORValue(parsing: reply, rules: .canonical).map.require(key))
    } catch {
      throw ClientError(.authenticatorAnswerInvalid, "\(error)")
    }
  }

  /// Does what only a broken library refuses, or an authenticator whose key is none.
  static func wrapping<Value>(
    _ body: () throws(CryptoError) -> Value
  ) throws(ClientError) -> Value {
    do throws(CryptoError) {
      return try body()
    } catch {
      throw ClientError(.authenticatorAnswerInvalid, "\(error)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// An authenticator with its capabilities, as used in one ceremony.
struct ConnectedAuthenticator: Sendable {
  let info: AuthenticatorInfo
  let random: RandomSource
  private let authenticator: any Authenticator

  /// Reads the authenticator's capabilities (CTAP 2.3 §6.4).
  init(_ authenticator: any Authenticator, random: RandomSource) async throws(ClientError) {
    self.authenticator = authenticator
    self.random = random
    let reply: [UInt8]
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

  /// Sends a command whose status the caller handles. Throws if the ceremony was cancelled.
  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    guard !Task.isCancelled else { throw CTAPError(.keepaliveCancel) }
    return try await authenticator.perform(command, parameters)
  }

  /// Sends a command. Throws for any status other than success.
  func require(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(ClientError) -> [UInt8] {
    do throws(CTAPError) {
      return try await perform(command, parameters)
    } catch {
      throw ClientError(error)
    }
  }

  /// Waits until the user touches the authenticator or refuses, or the time-out expires. The result is ignored on
  /// purpose.
  func awaitGesture(for scope: String) async {
    guard !info.asksForGesture else {
      _ = try? await perform(.selection, [])
      return
    }
    // Older authenticators ask for a touch before they report that they have no credential.
    guard let nothing = try? CredentialID([0]) else { return }
    let request = GetAssertionRequest(
      relyingPartyID: scope, clientDataHash: CredentialSearch.placeholderHash,
      allowList: [CredentialDescriptor(id: nothing)])
    _ = try? await perform(.getAssertion, request.encoded)
  }

  /// Parses a makeCredential response.
  func credential(_ reply: [UInt8]) throws(ClientError) -> MakeCredentialReply {
    do throws(FormatError) {
      return try MakeCredentialReply(parsing: reply)
    } catch {
      throw ClientError(answer: error)
    }
  }

  /// Parses a getAssertion or getNextAssertion response.
  func assertion(_ reply: [UInt8]) throws(ClientError) -> GetAssertionReply {
    do throws(FormatError) {
      return try GetAssertionReply(parsing: reply)
    } catch {
      throw ClientError(answer: error)
    }
  }
}

extension ClientError {
  /// Reads the value of `key` in a response that has no type of its own.
  static func member<Value>(
    _ key: CBORKey, of reply: [UInt8], _ read: (CBORValue) throws(WireError) -> Value
  ) throws(ClientError) -> Value {
    do throws(WireError) {
      return try read(CBORValue(parsing: reply, rules: .canonical).map.require(key))
    } catch {
      throw ClientError(.authenticatorAnswerInvalid, "\(error)")
    }
  }

  /// Converts cryptographic errors. Only a defective library or an invalid key of the authenticator causes them.
  static func wrapping<Value>(
    _ body: () throws(PasskeyCryptoError) -> Value
  ) throws(ClientError) -> Value {
    do throws(PasskeyCryptoError) {
      return try body()
    } catch {
      throw ClientError(.authenticatorAnswerInvalid, "\(error)")
    }
  }
}

extension AuthenticatorData {
  /// Throws unless the RP ID hash matches `scope`, user presence is set and, if required, user verification is set.
  /// `answer` names the response in error messages.
  func requireAnswer(for scope: String, requiringVerification isRequired: Bool, _ answer: String) throws(ClientError) {
    guard relyingPartyIDHash == Digest.sha256([UInt8](scope.utf8)[...])[...] else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) for another RP ID")
    }
    guard flags.contains(.userPresent) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) without user presence (UP)")
    }
    guard !isRequired || flags.contains(.userVerified) else {
      throw ClientError(.authenticatorAnswerInvalid, "\(answer) without user verification (UV)")
    }
  }
}

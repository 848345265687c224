// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto

// What commands leave for later commands to continue (CTAP 2.3 §6, stateful commands).
//
// | state              | begun by                       | continued by                          | ended by
// |--------------------|--------------------------------|---------------------------------------|------------------------
// | assertions         | getAssertion without a list    | getNextAssertion                      | another getAssertion, 30 s
// | relying parties    | enumerateRPsBegin              | enumerateRPsGetNextRP                 | its next begin, a change
// |                    |                                |                                       | of the credentials
// | credentials        | enumerateCredentialsBegin      | enumerateCredentialsGetNextCredential | its next begin, a change
// |                    |                                |                                       | of the credentials
// | large-blob array   | largeBlobs, set at offset 0    | largeBlobs, set at the next offset    | its next begin, a refused
// |                    |                                |                                       | fragment
// | finger enrollment  | enrollBegin                    | enrollCaptureNextSample               | cancelCurrentEnrollment,
// |                    |                                |                                       | its next begin
//
// All of them belong to the channel that began them: the first command of any other channel ends them, and so do a reset
// and the loss of power. The first four also end with the pinUvAuthToken that authorized them. The standard lets a device
// end them with any command in between on the same channel; this one keeps them, since some platforms interleave.
//
// Not in the table, because the standard has one for the whole device, whichever channel asks (§6.5): the key agreement
// keys, the PIN retry counters and the pinUvAuthToken. The token is no secret that a channel inherits: each command proves
// that its sender knows it.

/// The unfinished sequences of the one channel that may continue them.
struct CommandSequences: Sendable {
  /// Credentials that have yet to sign (§6.3).
  var assertions: RemainingAssertions?
  /// Relying parties that have yet to be listed (§6.8.3).
  var relyingParties: CredentialEnumeration?
  /// Credentials that have yet to be listed (§6.8.4).
  var credentials: CredentialEnumeration?
  /// A large-blob array of which a part has arrived (§6.10.2).
  var largeBlobs: LargeBlobWriting?
  /// A finger of which some samples were taken (§6.7.4).
  var fingerEnrollment: FingerEnrollment?

  private var channel = DeviceChannel.only

  /// Notes that a command arrived on `channel`, and ends every sequence if the last command came from another one.
  mutating func startCommand(on channel: DeviceChannel) {
    guard channel != self.channel else { return }
    self = CommandSequences()
    self.channel = channel
  }

  /// Ends both enumerations: the credentials that they would list have changed.
  mutating func endEnumerations() {
    relyingParties = nil
    credentials = nil
  }
}

/// The rest of an enumeration.
struct CredentialEnumeration: Sendable {
  /// The passkeys to report: one of each relying party, or all of one relying party.
  var remaining: ArraySlice<StoredPasskey>

  /// What authorized the first command.
  let authorization: SequenceAuthorization
}

/// A large-blob array of which a part has arrived.
struct LargeBlobWriting: Sendable {
  /// The bytes so far.
  var bytes: [UInt8]

  /// The length of the whole.
  let expectedByteCount: Int

  /// What authorized the last fragment.
  var authorization: SequenceAuthorization
}

/// What authorized the beginning of a sequence; the sequence lasts no longer than it.
enum SequenceAuthorization: Sendable {
  /// Nothing was needed, or it was the persistent token.
  case lasting
  /// The token with these bytes.
  case token(SecretBytes)
}

extension SoftwareAuthenticator {
  /// Whether the authorization of a sequence still holds.
  func isInForce(_ authorization: SequenceAuthorization) -> Bool {
    switch authorization {
    case .lasting: true
    case .token(let bytes): currentToken?.bytes == bytes
    }
  }
}

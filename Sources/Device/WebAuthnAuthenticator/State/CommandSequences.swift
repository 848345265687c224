// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto

// State that one command leaves for a later command to continue (CTAP 2.3 §6, stateful commands).
//
// | state              | begun by                    | continued by                          | ended by
// |--------------------|-----------------------------|---------------------------------------|----------------------
// | assertions         | getAssertion without a list | getNextAssertion                      | another getAssertion, a
// |                    |                             |                                       | makeCredential, 30 s
// | relying parties    | enumerateRPsBegin           | enumerateRPsGetNextRP                 | its next begin, a change
// |                    |                             |                                       | of the credentials
// | credentials        | enumerateCredentialsBegin   | enumerateCredentialsGetNextCredential | its next begin, a change
// |                    |                             |                                       | of the credentials
// | large-blob array   | largeBlobs, set at offset 0 | largeBlobs, set at the next offset    | its next begin, a
// |                    |                             |                                       | rejected fragment
// | finger enrollment  | enrollBegin                 | enrollCaptureNextSample               | cancelCurrentEnrollment,
// |                    |                             |                                       | its next begin
//
// Every sequence belongs to the channel that began it. A command on another channel, a reset or a power-down ends all
// of them. The first four also end with the pinUVAuthToken that authorized them. The standard permits a device to end
// them after any intervening command on the same channel. This device keeps them, because some platforms interleave
// commands.
//
// The table omits state that the standard defines for the whole device, independent of the channel (§6.5): the key
// agreement keys, the PIN retry counters and the pinUVAuthToken. Sharing the token across channels is safe, because
// each command proves that its sender knows it.

/// The unfinished sequences of the one channel that may continue them.
struct CommandSequences: Sendable {
  /// The credentials that have not signed yet (§6.3).
  var assertions: RemainingAssertions?
  /// The relying parties that have not been listed yet (§6.8.3).
  var relyingParties: CredentialEnumeration?
  /// The credentials that have not been listed yet (§6.8.4).
  var credentials: CredentialEnumeration?
  /// The partially received large-blob array (§6.10.2).
  var largeBlobs: LargeBlobWriting?
  /// The finger with some of its samples captured (§6.7.4).
  var fingerEnrollment: FingerEnrollment?

  private var channel = DeviceChannel.only

  /// Records a command on `channel`. Ends every sequence if the previous command used another channel.
  mutating func startCommand(on channel: DeviceChannel) {
    guard channel != self.channel else { return }
    self = CommandSequences()
    self.channel = channel
  }

  /// Ends both enumerations, because the stored credentials changed.
  mutating func endEnumerations() {
    relyingParties = nil
    credentials = nil
  }
}

/// The remaining entries of an enumeration.
struct CredentialEnumeration: Sendable {
  /// The passkeys to report: one of each relying party, or all of one relying party.
  var remaining: ArraySlice<StoredPasskey>

  /// The authorization of the first command.
  let authorization: SequenceAuthorization
}

/// A partially received large-blob array.
struct LargeBlobWriting: Sendable {
  /// The bytes received so far.
  var bytes: [UInt8]

  /// The announced length of the whole array.
  let expectedByteCount: Int

  /// The authorization of the last fragment.
  var authorization: SequenceAuthorization
}

/// The authorization of a sequence. The sequence ends when its authorization does.
enum SequenceAuthorization: Sendable {
  /// No authorization was needed, or the persistent token authorized the sequence.
  case lasting
  /// The pinUVAuthToken with these bytes.
  case token(SecretBytes)
}

extension SoftwareAuthenticator {
  /// Returns whether the authorization of a sequence is still valid.
  func isInForce(_ authorization: SequenceAuthorization) -> Bool {
    switch authorization {
    case .lasting: true
    case .token(let bytes): currentToken?.bytes == bytes
    }
  }
}

/// An unfinished fingerprint enrollment (CTAP 2.3 §6.7.4).
struct FingerEnrollment: Sendable {
  /// The template id that the platform uses.
  let templateID: [UInt8]

  /// The finger of the first good sample. All other samples must match it.
  var finger: UInt8?

  /// The number of good samples still required.
  var remainingSamples = DeviceLimits.samplesPerFinger
}

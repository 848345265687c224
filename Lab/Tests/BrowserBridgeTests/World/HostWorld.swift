// SPDX-License-Identifier: Apache-2.0

import CTAPTypes
import PasskeyCrypto
import PasskeyFormats
import PasskeySystem
import WebAuthnAuthenticator
import WebAuthnClient
import WebAuthnTypes

@testable import BrowserBridge

/// A host over a device in memory, and the messages that it sends.
final class HostWorld: Sendable {
  let host: BrowserHost
  let vault: MemoryVault
  let discarded = Locked(0)
  private let replies: AsyncStream<JSONValue>
  private let makeDevice: @Sendable () -> any BrowserDevice

  /// How ceremonies are approved.
  enum Approval { case window, always, never }

  init(
    _ approval: Approval = .always, userName: String? = nil, pin: String? = nil,
    relatedOrigins: (any RelatedOriginsSource)? = nil
  ) throws {
    vault = MemoryVault(try DeviceState.factory(random: .system))
    try VaultOwner(of: vault).enrollOwner()
    if let pin { try VaultOwner(of: vault).setPIN(SecretBytes(utf8: pin)) }
    let (replies, source) = AsyncStream.makeStream(of: JSONValue.self)
    self.replies = replies
    let send: @Sendable (BrowserReply) -> Void = { (reply) in
      if let json = try? JSON.parse(reply.json[...], maximumSize: 1 << 20) { source.yield(json) }
    }
    let window = WindowApproval(send: send)
    let chosen: any ApprovalSource =
      switch approval {
      case .window: window
      case .always: AutomaticApproval.always
      case .never: AutomaticApproval.never
      }
    let interaction = BrowserInteraction(chosen, userName: userName)
    let device = try SoftwareAuthenticator(
      vault: vault, profile: .passkeyProvider, interaction: interaction, clock: StoppedClock())
    makeDevice = { [vault, discarded] in TestDevice(device, vault: vault, discarded: discarded) }
    host = BrowserHost(
      .init(approval: "test", isPlatformVerifier: true, relatedOrigins: relatedOrigins), interaction: interaction,
      window: window, send: send, makeDevice: makeDevice)
  }

  /// Returns a host with the same device, whose replies a connection sends.
  func host(sendingBy connection: BrowserConnection) -> BrowserHost {
    BrowserHost(
      .init(approval: "test", isPlatformVerifier: true), interaction: BrowserInteraction(AutomaticApproval.never),
      send: { (reply) in connection.send(reply) }, makeDevice: makeDevice)
  }

  /// Passes a message of the extension to the host.
  func send(_ message: String) async throws {
    await host.receive(try BrowserRequest(parsing: [UInt8](message.utf8)[...]))
  }

  /// Waits for the next message of the host.
  func next() async throws -> JSONValue {
    for await reply in replies { return reply }
    throw BrowserError(.connectionFailed)
  }

  func create(
    _ id: Int, user: String = "ada", origin: String = "https://raxx.app", rpID: String = "raxx.app",
    algorithms: [Int] = [-7]
  ) async throws {
    let parameters = algorithms.map { #"{"type":"public-key","alg":\#($0)}"# }.joined(separator: ",")
    try await send(
      Self.message(
        "create", id,
        """
        {"rp":{"id":"\(rpID)","name":"Raxx"},"user":{"id":"\(Base64URL.encode([UInt8](user.utf8)))","name":"\(user)",\
        "displayName":"\(user)"},"challenge":"AAECAwQFBgcICQoLDA0ODw","pubKeyCredParams":[\(parameters)],\
        "authenticatorSelection":{"residentKey":"required","userVerification":"preferred"},\
        "extensions":{"credProps":true,\(Self.override(origin))}}
        """))
  }

  func get(_ id: Int, origin: String = "https://raxx.app", rpID: String = "raxx.app") async throws {
    try await send(
      Self.message(
        "get", id,
        """
        {"challenge":"AAECAwQFBgcICQoLDA0ODw","rpId":"\(rpID)","extensions":{\(Self.override(origin))}}
        """))
  }

  private static func override(_ origin: String) -> String {
    #""remoteDesktopClientOverride":{"origin":"\#(origin)","sameOriginWithAncestors":true}"#
  }

  private static func message(_ type: String, _ id: Int, _ details: String) -> String {
    String(
      decoding: JSON.writeObject { (object: inout JSONObjectWriter) in
        object.write("type", type)
        object.write("id", .integer(id))
        object.write("details", details)
      }, as: UTF8.self)
  }
}

/// The device of one ceremony.
private final class TestDevice: BrowserDevice {
  private let device: SoftwareAuthenticator
  private let vault: MemoryVault
  private let discarded: Locked<Int>

  init(_ device: SoftwareAuthenticator, vault: MemoryVault, discarded: Locked<Int>) {
    self.device = device
    self.vault = vault
    self.discarded = discarded
  }

  func perform(_ command: CTAPCommand, _ parameters: [UInt8]) async throws(CTAPError) -> [UInt8] {
    try await device.perform(command, parameters)
  }

  func cancel() async { await device.cancel() }

  func notice(of error: ClientError) -> String { "\(error)" }

  func discardRegistration() async { discarded.withLock { $0 += 1 } }

  func json(of response: RegistrationResponse) async throws(BrowserError) -> [UInt8] { response.json }

  func json(of response: AuthenticationResponse) async throws(BrowserError) -> [UInt8] { response.json }
}

/// A stopped clock.
struct StoppedClock: AuthenticatorClock {
  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}

/// Related origins of every relying party.
struct FixedRelatedOrigins: RelatedOriginsSource {
  let text: String

  func document(of relyingParty: RelyingPartyID) async throws(ClientError) -> RelatedOrigins {
    do throws(FormatError) {
      return try RelatedOrigins(json: [UInt8](text.utf8)[...])
    } catch {
      throw ClientError(.relatedOriginsUnavailable, "\(error)")
    }
  }
}

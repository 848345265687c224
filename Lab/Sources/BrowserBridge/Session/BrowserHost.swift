// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
package import WebAuthnClient
internal import WebAuthnTypes

/// The native-messaging host: answers the calls of pages that the extension passes on.
///
/// One ceremony runs at a time; others wait in a queue. A cancelled ceremony gets no answer but `ended`.
package actor BrowserHost {
  /// How a host is set up.
  package struct Settings: Sendable {
    /// How ceremonies are approved, for the extension's display.
    package var approval: String
    /// The name of the fault in every response, if one is set.
    package var fault: String?
    /// Whether the device is a platform authenticator that verifies users.
    package var isPlatformVerifier: Bool
    /// The source of related origins. Nil: an origin may use the RP IDs of its own site only.
    package var relatedOrigins: (any RelatedOriginsSource)?
    /// The source of the keys with which the client and the device encrypt their messages.
    package var random: RandomSource

    package init(
      approval: String, fault: String? = nil, isPlatformVerifier: Bool,
      relatedOrigins: (any RelatedOriginsSource)? = nil, random: RandomSource = .system
    ) {
      self.approval = approval
      self.fault = fault
      self.isPlatformVerifier = isPlatformVerifier
      self.relatedOrigins = relatedOrigins
      self.random = random
    }
  }

  // 16  [more than a user can answer; a page must not fill the memory]
  static let maximumWaitingCount = 16

  /// The algorithms of keys that Chromium refuses in an extension's response: other curves than P-256 and Ed25519.
  private static let unreadable: Set<COSEAlgorithm> = [.es384, .esp384, .es512, .esp512, .es256k, .ed448]

  private struct Ceremony {
    enum Kind { case create, get }

    let id: Int64
    let kind: Kind
    let details: [UInt8]
  }

  private let settings: Settings
  private let window: WindowApproval?
  private let interaction: BrowserInteraction
  private let makeDevice: @Sendable () -> any BrowserDevice
  private let send: @Sendable (BrowserReply) -> Void

  private var waiting: [Ceremony] = []
  private var running: (id: Int64, task: Task<Void, Never>)?
  private var isCancelled = false

  /// Creates a host. `window` gets the answers of the extension's window, if ceremonies are approved there.
  package init(
    _ settings: Settings, interaction: BrowserInteraction, window: WindowApproval? = nil,
    send: @escaping @Sendable (BrowserReply) -> Void, makeDevice: @escaping @Sendable () -> any BrowserDevice
  ) {
    self.settings = settings
    self.interaction = interaction
    self.window = window
    self.send = send
    self.makeDevice = makeDevice
  }

  /// Handles a message of the extension.
  package func receive(_ request: BrowserRequest) async {
    switch request {
    case .hello: send(.ready(approval: settings.approval, fault: settings.fault))
    case .create(let id, let details): enqueue(Ceremony(id: id, kind: .create, details: details))
    case .get(let id, let details): enqueue(Ceremony(id: id, kind: .get, details: details))
    case .isVerifierAvailable(let id): send(.isVerifierAvailable(id: id, settings.isPlatformVerifier))
    case .cancel(let id): await cancel(id)
    case .answer(let question, let answer): window?.receive(answer, to: question)
    }
  }

  /// Cancels all ceremonies and waits for the running one.
  package func finish() async {
    waiting = []
    guard let running else { return }
    await cancel(running.id)
    await running.task.value
  }

  private func enqueue(_ ceremony: Ceremony) {
    let isKnown = running?.id == ceremony.id || waiting.contains { (other) in other.id == ceremony.id }
    guard !isKnown, waiting.count < Self.maximumWaitingCount else {
      return send(.failure(id: ceremony.id, .notAllowed(BrowserError(.busy).description)))
    }
    waiting.append(ceremony)
    startNext()
  }

  private func startNext() {
    guard running == nil, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    isCancelled = false
    running = (next.id, Task { await run(next) })
  }

  private func cancel(_ id: Int64) async {
    guard running?.id == id else {
      let count = waiting.count
      waiting.removeAll { (ceremony) in ceremony.id == id }
      if waiting.count < count { send(.ended(id: id)) }
      return
    }
    isCancelled = true
    running?.task.cancel()
    await interaction.cancel()
  }

  private func run(_ ceremony: Ceremony) async {
    let device = makeDevice()
    let result = await outcome(of: ceremony, on: device)
    switch result {
    case .success(let json) where !isCancelled && json.count <= Self.maximumResponseByteCount:
      send(.response(id: ceremony.id, json))
    case .success:
      await discard(ceremony, on: device)
      send(isCancelled ? .ended(id: ceremony.id) : .failure(id: ceremony.id, .notAllowed("the response is too long")))
    case .failure(let failure):
      await discard(ceremony, on: device)
      send(isCancelled ? .ended(id: ceremony.id) : .failure(id: ceremony.id, failure))
    }
    running = nil
    startNext()
  }

  // 512 KiB  [escaped in a string, a response must fit into a message]
  private static let maximumResponseByteCount = NativeMessages.maximumOutgoingByteCount / 2

  private func outcome(of ceremony: Ceremony, on device: any BrowserDevice) async -> Result<[UInt8], CeremonyFailure> {
    do throws(CeremonyFailure) {
      return .success(try await perform(ceremony, on: device))
    } catch {
      return .failure(error)
    }
  }

  private func discard(_ ceremony: Ceremony, on device: any BrowserDevice) async {
    if ceremony.kind == .create { await device.discardRegistration() }
  }

  private func perform(_ ceremony: Ceremony, on device: any BrowserDevice) async throws(CeremonyFailure) -> [UInt8] {
    let call = try mapError(PageCall(details: ceremony.details)) { (error: BrowserError) in
      CeremonyFailure.notAllowed("\(error)")
    }
    let client = Client(
      origin: call.origin, authenticator: device, interaction: interaction, relatedOrigins: settings.relatedOrigins,
      isCrossOrigin: call.isCrossOrigin, random: settings.random)
    do throws(ClientError) {
      switch ceremony.kind {
      case .create: return try await create(ceremony.id, call, client, device)
      case .get: return try await get(ceremony.id, call, client, device)
      }
    } catch {
      throw CeremonyFailure(error, notice: device.notice(of: error))
    }
  }

  private func create(
    _ id: Int64, _ call: PageCall, _ client: Client, _ device: any BrowserDevice
  ) async throws(ClientError) -> [UInt8] {
    var options = try mapError(CreationOptions(json: call.options[...]), ClientError.init(options:))
    // Without parameters the standard's defaults apply, which the browser can read.
    let wanted = options.credentialParameters
    options.credentialParameters.removeAll { (parameters) in Self.unreadable.contains(parameters.algorithm) }
    guard wanted.isEmpty || !options.credentialParameters.isEmpty else {
      throw ClientError(.algorithmUnsupported, "the browser reads no keys of the requested algorithms")
    }
    interaction.begin(
      .init(
        id: id, origin: call.origin, isCrossOrigin: call.isCrossOrigin, userName: options.user.name))
    let response = try await client.create(options)
    return try await encoded { () async throws(BrowserError) in try await device.json(of: response) }
  }

  private func get(
    _ id: Int64, _ call: PageCall, _ client: Client, _ device: any BrowserDevice
  ) async throws(ClientError) -> [UInt8] {
    let options = try mapError(RequestOptions(json: call.options[...]), ClientError.init(options:))
    interaction.begin(.init(id: id, origin: call.origin, isCrossOrigin: call.isCrossOrigin, userName: nil))
    let response = try await client.get(options)
    return try await encoded { () async throws(BrowserError) in try await device.json(of: response) }
  }

  private func encoded(_ json: () async throws(BrowserError) -> [UInt8]) async throws(ClientError) -> [UInt8] {
    try await mapError(async: await json()) { (error: BrowserError) in ClientError(.authenticatorFailed, "\(error)") }
  }
}

extension CeremonyFailure: Error {
  /// A failure whose reason the page must not learn.
  static func notAllowed(_ notice: String) -> Self {
    Self(name: "NotAllowedError", message: notAllowedMessage, notice: notice)
  }

  /// The message that a page gets whether the user refused, no passkey matched, or time ran out.
  private static let notAllowedMessage = "The operation either timed out or was not allowed."

  fileprivate init(_ error: ClientError, notice: String) {
    let name = error.domName
    self.init(
      name: name, message: name == "NotAllowedError" ? Self.notAllowedMessage : error.summary.firstUppercased + ".",
      notice: notice)
  }
}

extension String {
  fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}

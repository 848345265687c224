// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnBrowser
internal import WebAuthnTypes

/// A browser on a page of one origin, with a device that holds passkeys, in the process of a test.
///
/// It takes the options of a server and returns the response to post, as `navigator.credentials` does. With a function that
/// sends requests to the server, it performs whole registrations and sign-ins.
///
/// Keys, identifiers and signatures follow from the seed, so each run makes the same ones. Browsers with one seed make the
/// same passkeys: give each user of a test a seed.
///
/// It is safe to use from any task.
public final class TestBrowser: Sendable {
  /// The origin of the page.
  public let origin: String

  private let webOrigin: WebOrigin
  private let random: RandomSource
  private let state: Locked<State>
  let handler: Handler?

  private struct State {
    var device: Device
    var cookies: [(name: String, value: String)] = []
    var bearer: String?
  }

  /// Sends a request to the server under test, and returns its reply.
  public typealias Handler = @Sendable (Request) async throws -> Reply

  /// Creates a browser with a phone whose user agrees to everything.
  ///
  /// - Parameters:
  ///   - origin: The origin of the page, such as `https://example.org`.
  ///   - seed: What keys and identifiers follow from.
  ///   - handler: Sends requests to the server; nil for a test that passes options and responses itself.
  /// - Throws: ``Failure/origin(_:)`` if the origin is malformed.
  public init(origin: String, seed: String = "passkey", handler: Handler? = nil) throws {
    self.origin = origin
    webOrigin = try mapError(WebOrigin(origin)) { (error: FormatError) in Failure.origin("\(error)") }
    random = .seeded(Array(seed.utf8), label: "browser")
    state = Locked(State(device: try Device(.phone, seed: seed)))
    self.handler = handler
  }

  /// The device that answers ceremonies from now on.
  public var device: Device {
    get { state.withLock { $0.device } }
    set { state.withLock { $0.device = newValue } }
  }

  /// The token that later requests send as `Authorization: Bearer`; nil for none.
  public var bearer: String? {
    get { state.withLock { $0.bearer } }
    set { state.withLock { $0.bearer = newValue } }
  }

  /// The cookies of the server, by name. Paths, domains and expiry times are ignored.
  public var cookies: [String: String] {
    get { state.withLock { (state) in Dictionary(state.cookies.map { ($0.name, $0.value) }) { $1 } } }
    set {
      state.withLock { (state) in
        state.cookies = newValue.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
      }
    }
  }

  /// Creates a passkey, like `navigator.credentials.create`.
  ///
  /// - Parameters:
  ///   - options: The server's creation options as JSON, with or without the member `publicKey` around them.
  ///   - fault: The fault of the response; nil for a valid one.
  /// - Returns: The response to post, as JSON.
  /// - Throws: ``Failure``.
  public func create(_ options: some Collection<UInt8>, fault: Fault? = nil) async throws(Failure) -> [UInt8] {
    guard fault?.isInRegistrations != false else { throw .faultElsewhere(fault) }
    let client = client(choosing: nil)
    let response: RegistrationResponse
    do throws(ClientError) {
      response = try await client.create(CreationOptions(asReadByBrowser: Self.publicKey(in: options)))
    } catch {
      throw Failure(error)
    }
    return try fault.map { (fault) throws(Failure) in try mapError(fault.json(of: response), Failure.init(fault:)) }
      ?? response.json
  }

  /// Signs in with a passkey, like `navigator.credentials.get`.
  ///
  /// - Parameters:
  ///   - options: The server's request options as JSON, with or without the member `publicKey` around them.
  ///   - user: The user name of the passkey to choose; nil for the passkey that was made last.
  ///   - fault: The fault of the response; nil for a valid one.
  /// - Returns: The response to post, as JSON.
  /// - Throws: ``Failure``.
  public func get(
    _ options: some Collection<UInt8>, as user: String? = nil, fault: Fault? = nil
  ) async throws(Failure) -> [UInt8] {
    guard fault?.isInSignIns != false else { throw .faultElsewhere(fault) }
    let (client, device) = (client(choosing: user), device)
    let response: AuthenticationResponse
    do throws(ClientError) {
      response = try await client.get(RequestOptions(asReadByBrowser: Self.publicKey(in: options)))
    } catch {
      throw Failure(error)
    }
    guard let fault else { return response.json }
    let key = try device.signingKey(of: response.id)
    return try mapError(fault.json(of: response, key: key), Failure.init(fault:))
  }

  private func client(choosing user: String?) -> Client {
    Client(
      origin: webOrigin, authenticator: device.authenticator, interaction: AccountChoice(user: user),
      publicSuffixes: LastLabels(), compression: StoredBlocks(), random: random)
  }

  /// Returns the options in an object that some servers put around them.
  private static func publicKey(in options: some Collection<UInt8>) -> Bytes {
    let options = Bytes(options)
    let wrapped = try? JSON.parse(options)["publicKey"]
    return wrapped?.encoded ?? options
  }

  // MARK: Sessions

  /// Returns the header fields of a request.
  func sessionFields() -> [(name: String, value: String)] {
    var fields = [(name: "origin", value: origin)]
    state.withLock { (state) in
      if let bearer = state.bearer { fields.append((name: "authorization", value: "Bearer \(bearer)")) }
      let cookies = state.cookies.map { "\($0.name)=\($0.value)" }
      if !cookies.isEmpty { fields.append((name: "cookie", value: cookies.joined(separator: "; "))) }
    }
    return fields
  }

  /// Keeps the cookies of a reply.
  func keepCookies(of reply: Reply) {
    for field in reply.headers where field.name.lowercased() == "set-cookie" {
      let parts = field.value.split(separator: ";").map { $0.drop { $0 == " " } }
      guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { continue }
      let name = String(pair.prefix(upTo: equals))
      let value = String(pair.suffix(from: pair.index(after: equals)))
      let isDeleted = value.isEmpty || parts.dropFirst().contains { $0.lowercased() == "max-age=0" }
      state.withLock { (state) in
        state.cookies.removeAll { $0.name == name }
        if !isDeleted { state.cookies.append((name: name, value: value)) }
      }
    }
  }
}

/// A user who chooses a passkey by its user name, or takes the first.
private struct AccountChoice: ClientInteraction {
  let user: String?

  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int? {
    user.map { (user) in users.firstIndex { $0.name == user } } ?? 0
  }

  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes? { nil }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTransfers
internal import WebAuthnClient
internal import WebAuthnTypes

/// Sends the requests of a load on one thread, and measures each.
final class LoadClient {
  /// The state of a caller: its cookies, its session, and whether its requests count.
  struct Caller {
    var cookies = LoadCookies()
    var session: LoadSession?
    var isMeasured = true

    init(_ session: LoadSession? = nil, isMeasured: Bool = true) {
      self.session = session
      self.isMeasured = isMeasured
      if let session { cookies = session.cookies }
    }
  }

  let target: LoadTarget
  private let loop: TransferLoop
  private let keepsConnections: Bool
  private let errors: Shape
  private var forms: [EndpointName: EndpointForm] = [:]
  var signer: LoadSigner

  /// The completed ceremonies to send again; nil if none is.
  var repetitions: Repetitions?

  /// Called at the first response with status 429, and nil afterwards.
  var limited: (() -> Void)?

  /// The measurements of each endpoint: from the start of a request to the end of its reply.
  var endpointFigures: [String: OperationFigures] = [:]

  init(_ target: LoadTarget, keepsConnections: Bool) throws(LoadError) {
    guard let loop = TransferLoop() else { throw LoadError(.libraryUnusable, "cannot start libcurl") }
    self.target = target
    self.loop = loop
    self.keepsConnections = keepsConnections
    errors = target.profile.errors.shape.withOptionalMembers
    signer = LoadSigner(origin: target.origin)
  }

  /// Handles replies until a moment in nanoseconds of the monotonic clock, or returns earlier after some.
  func advance(until moment: Int64) { loop.advance(until: moment) }

  /// Sends a request to an endpoint.
  func send(
    _ endpoint: EndpointName, _ values: ShapeValues = ShapeValues(), from caller: Caller, grant: String? = nil,
    then: @escaping (Result<ShapeValues, LoadFault>) -> Void
  ) {
    let form: EndpointForm
    if let known = forms[endpoint] {
      form = known
    } else if let contract = target.profile[endpoint] {
      form = EndpointForm(endpoint.rawValue, contract, target, keepsConnections: keepsConnections)
      forms[endpoint] = form
    } else {
      return then(.failure(LoadFault(ClientError.Code.endpointMissing.rawValue)))
    }
    if ServerRequest.isWrite(form.contract.method) {
      exchange(form, body: form.contract.request?.write(values), from: caller, grant: grant, then: then)
    } else if let query = form.contract.query?.parameters(values), !query.isEmpty {
      exchange(self.form(form, query), body: nil, from: caller, grant: grant, then: then)
    } else {
      exchange(form, body: nil, from: caller, grant: grant, then: then)
    }
  }

  /// Sends a request that the profile does not describe.
  func send(
    _ request: LoadPlan.Request, from caller: Caller, then: @escaping (Result<ShapeValues, LoadFault>) -> Void
  ) {
    let contract = EndpointContract(method: request.method, path: request.path)
    let form = EndpointForm("request", contract, target, keepsConnections: keepsConnections)
    exchange(form, body: nil, from: caller, grant: nil, then: then)
  }

  private func form(_ form: EndpointForm, _ query: [(name: String, value: String)]) -> EndpointForm {
    func escaped(_ text: String) -> String {
      text.utf8.map { (byte) in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte]).uppercased()
      }.joined()
    }
    var contract = form.contract
    contract.path += "?" + query.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    return EndpointForm(form.name, contract, target, keepsConnections: keepsConnections)
  }

  private func exchange(
    _ form: EndpointForm, body: [UInt8]?, from caller: Caller, grant: String?,
    then: @escaping (Result<ShapeValues, LoadFault>) -> Void
  ) {
    var request = form.request
    guard case .http(var content) = request.content else { return }
    if let body {
      content.body = body
      content.contentType = "application/json"
    }
    content.userAgent = Self.userAgent
    content.cookies = nil
    content.fields = fields(form.contract, caller, grant)
    request.content = .http(content)
    let start = LoadClock.now
    loop.start(request) { [weak self] (outcome) in
      // The loop ends with the client, and with it the requests without a reply.
      guard let self else { return }
      let duration = (LoadClock.now - start) / 1_000
      let result = read(outcome, form, caller)
      if caller.isMeasured {
        switch result {
        case .success: endpointFigures[form.name, default: .init()].record(corrected: duration, uncorrected: duration)
        case .failure(let fault): endpointFigures[form.name, default: .init()].record(failure: fault.code)
        }
      }
      then(result)
    }
  }

  private static let userAgent = "passkey-load/0.1.0"

  private func fields(_ contract: EndpointContract, _ caller: Caller, _ grant: String?) -> [HTTPContentField] {
    let profile = target.profile
    var fields = [HTTPContentField("accept", "application/json")]
    switch profile.presentation {
    case .cookie where ServerRequest.isWrite(contract.method):
      fields.append(HTTPContentField("origin", target.origin.text))
    case .bearer:
      if profile.sessions.allows(.cookie) { fields.append(HTTPContentField(profile.headers.tokens, "bearer")) }
      if let token = caller.session?.token { fields.append(HTTPContentField("authorization", "Bearer \(token)")) }
    case .cookie, .nothing: break
    }
    if let grant { fields.append(HTTPContentField(profile.headers.stepUp, grant)) }
    if let cookies = caller.cookies.field { fields.append(HTTPContentField("cookie", cookies)) }
    return fields
  }

  private func read(
    _ outcome: TransferOutcome, _ form: EndpointForm, _ caller: Caller
  ) -> Result<ShapeValues, LoadFault> {
    let reply: TransferReply
    do throws(TransferFault) {
      reply = try outcome.result.get()
    } catch {
      let request = ServerRequest(form.contract.method, "/")
      return .failure(LoadFault(ClientError(error, of: request, to: target.server, target.settings).code.rawValue))
    }
    caller.cookies.store(reply.fields)
    if reply.status == 429, let limited {
      self.limited = nil
      limited()
    }
    guard 200..<300 ~= reply.status else {
      return .failure(LoadFault(status: reply.status, body: reply.body, errors))
    }
    guard let shape = form.reply, !reply.body.isEmpty else { return .success(ShapeValues()) }
    guard let json = try? JSON.parse(reply.body[...], maximumSize: reply.body.count),
      let values = try? shape.read(json)
    else { return .failure(.malformed(reply.status)) }
    return .success(values)
  }
}

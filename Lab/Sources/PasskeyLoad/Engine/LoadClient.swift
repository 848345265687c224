// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTransfers
internal import WebAuthnClient
internal import WebAuthnTypes

/// Sends the requests of a load on one thread, and measures each.
final class LoadClient {
  /// The state of a caller: its cookies, its session, the values that its profile keeps, and whether its requests count.
  struct Caller {
    /// The kept values of one ceremony or request.
    final class Memory {
      var kept: KeptValues = [:]
      /// The number of requests before the one that begins the ceremony that were answered.
      var stepCount = 0
    }

    let memory = Memory()
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
    prepare(form.contract, values, caller) { [unowned self] (result) in
      switch result {
      case .failure(let fault): then(.failure(fault))
      case .success: exchange(form, of: values, from: caller, grant: grant, then: then)
      }
    }
  }

  private func exchange(
    _ form: EndpointForm, of values: ShapeValues, from caller: Caller, grant: String?,
    then: @escaping (Result<ShapeValues, LoadFault>) -> Void
  ) {
    var values = values
    if form.keeps { values.kept = target.profile.complete(caller.memory.kept, cookie: caller.cookies.content) }
    let (path, body) = Handshake.written(form.contract, values)
    exchange(form.with(path, target, keepsConnections: keepsConnections), body: body, from: caller, grant: grant) {
      (result) in
      if case .success(let values) = result { caller.memory.kept.merge(values.kept) { $1 } }
      then(result)
    }
  }

  /// Gets the values that a request to an endpoint needs and that are not known yet. These requests do not count.
  private func prepare(
    _ contract: EndpointContract, _ values: ShapeValues, _ caller: Caller,
    then: @escaping (Result<Void, LoadFault>) -> Void
  ) {
    let step = contract.before.dropFirst(caller.memory.stepCount).first
    let next = step ?? contract
    let missing = target.profile.missingSource(
      for: next, isWrite: ServerRequest.isWrite(next.method), caller.memory.kept, cookie: caller.cookies.content)
    guard let path = missing else {
      guard let step else { return then(.success(())) }
      return take(step, before: contract, values, caller, then: then)
    }
    let form = EndpointForm(
      path, EndpointContract(method: "GET", path: path), target, keepsConnections: keepsConnections)
    transfer(form, body: nil, from: caller, grant: nil) { [unowned self] (reply) in
      let result = reply.flatMap { (reply) -> Result<Void, LoadFault> in
        caller.cookies.store(reply.fields)
        let lacks = target.profile.take(
          from: path, body: reply.body, header: { (name) in reply.fields.first { $0.name == name }?.value },
          cookie: caller.cookies.content, into: &caller.memory.kept)
        return lacks == nil ? .success(()) : .failure(.malformed(reply.status))
      }
      guard case .success = result else { return then(result) }
      prepare(contract, values, caller, then: then)
    }
  }

  /// Sends a request of the profile's `before`, and goes on to the next one.
  private func take(
    _ step: EndpointContract, before contract: EndpointContract, _ values: ShapeValues, _ caller: Caller,
    then: @escaping (Result<Void, LoadFault>) -> Void
  ) {
    var values = values
    values.kept = target.profile.complete(caller.memory.kept, cookie: caller.cookies.content)
    let (path, body) = Handshake.written(step, values)
    let form = EndpointForm("before", step, target, keepsConnections: keepsConnections, returnsRedirects: true)
      .with(path, target, keepsConnections: keepsConnections)
    transfer(form, body: body, from: caller, grant: nil) { [unowned self] (reply) in
      let result = reply.flatMap { (reply) -> Result<Void, LoadFault> in
        caller.cookies.store(reply.fields)
        guard reply.status < 400 else { return .failure(LoadFault(status: reply.status, body: reply.body, errors)) }
        caller.memory.stepCount += 1
        let lacks = target.profile.take(
          reply.body, location: reply.field("location"), of: step, into: &caller.memory.kept)
        return lacks == nil ? .success(()) : .failure(.malformed(reply.status))
      }
      guard case .success = result else { return then(result) }
      prepare(contract, values, caller, then: then)
    }
  }

  /// Sends a request that the profile does not describe.
  func send(
    _ request: LoadPlan.Request, from caller: Caller, then: @escaping (Result<ShapeValues, LoadFault>) -> Void
  ) {
    let contract = EndpointContract(method: request.method, path: request.path)
    let form = EndpointForm("request", contract, target, keepsConnections: keepsConnections)
    prepare(contract, ShapeValues(), caller) { [unowned self] (result) in
      switch result {
      case .failure(let fault): then(.failure(fault))
      case .success: exchange(form, body: nil, from: caller, grant: nil, then: then)
      }
    }
  }

  private func exchange(
    _ form: EndpointForm, body: [UInt8]?, from caller: Caller, grant: String?,
    then: @escaping (Result<ShapeValues, LoadFault>) -> Void
  ) {
    let start = LoadClock.now
    transfer(form, body: body, from: caller, grant: grant) { [unowned self] (reply) in
      let duration = (LoadClock.now - start) / 1_000
      let result = reply.flatMap { read($0, form, caller) }
      if caller.isMeasured {
        switch result {
        case .success: endpointFigures[form.name, default: .init()].record(corrected: duration, uncorrected: duration)
        case .failure(let fault): endpointFigures[form.name, default: .init()].record(failure: fault.code)
        }
      }
      then(result)
    }
  }

  private func transfer(
    _ form: EndpointForm, body: [UInt8]?, from caller: Caller, grant: String?,
    then: @escaping (Result<TransferReply, LoadFault>) -> Void
  ) {
    var request = form.request
    guard case .http(var content) = request.content else { return }
    if let body {
      content.body = body
      content.contentType = form.contract.contentType
    }
    content.userAgent = Self.userAgent
    content.cookies = nil
    content.fields = fields(form.contract, caller, grant)
    request.content = .http(content)
    loop.start(request) { [weak self] (outcome) in
      // The loop ends with the client, and with it the requests without a reply.
      guard let self else { return }
      do throws(TransferFault) {
        then(.success(try outcome.result.get()))
      } catch {
        let request = ServerRequest(form.contract.method, "/")
        then(.failure(LoadFault(ClientError(error, of: request, to: target.server, target.settings).code.rawValue)))
      }
    }
  }

  private static let userAgent = "passkey-load/0.1.0"

  private func fields(_ contract: EndpointContract, _ caller: Caller, _ grant: String?) -> [HTTPContentField] {
    let profile = target.profile
    var fields = [HTTPContentField("accept", "application/json")]
    if ServerRequest.isWrite(contract.method), profile.sendsOrigin {
      fields.append(HTTPContentField("origin", target.origin.text))
    }
    switch profile.presentation {
    case .bearer:
      if profile.sessions.allows(.cookie) { fields.append(HTTPContentField(profile.headers.tokens, "bearer")) }
      if let token = caller.session?.token {
        fields.append(HTTPContentField("authorization", profile.tokenPrefix + token))
      }
    case .cookie, .nothing: break
    }
    if let grant { fields.append(HTTPContentField(profile.headers.stepUp, grant)) }
    if let cookies = caller.cookies.field { fields.append(HTTPContentField("cookie", cookies)) }
    guard !profile.headers.sent.isEmpty else { return fields }
    let kept = profile.complete(caller.memory.kept, cookie: caller.cookies.content)
    for field in profile.headers.sent where !fields.contains(where: { $0.name == field.name && $0.name != "accept" }) {
      guard let value = field.value(kept) else { continue }
      fields.removeAll { $0.name == field.name }
      fields.append(HTTPContentField(field.name, value))
    }
    return fields
  }

  /// Whether a reply has a status 2xx, or is the redirect that the profile names.
  private func isSuccess(_ reply: TransferReply, _ contract: EndpointContract) -> Bool {
    guard contract.location != nil else { return 200..<300 ~= reply.status }
    var kept: KeptValues = [:]
    return 300..<400 ~= reply.status && contract.readLocation(reply.field("location"), into: &kept)
  }

  private func read(
    _ reply: TransferReply, _ form: EndpointForm, _ caller: Caller
  ) -> Result<ShapeValues, LoadFault> {
    caller.cookies.store(reply.fields)
    if reply.status == 429, let limited {
      self.limited = nil
      limited()
    }
    guard isSuccess(reply, form.contract) else {
      return .failure(LoadFault(status: reply.status, body: reply.body, errors))
    }
    guard let shape = form.reply, !reply.body.isEmpty else { return .success(ShapeValues()) }
    guard let json = try? form.contract.document(reply.body),
      let values = try? shape.read(json)
    else { return .failure(.malformed(reply.status)) }
    return .success(values)
  }
}

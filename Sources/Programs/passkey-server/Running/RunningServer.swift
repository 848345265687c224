// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeyHTTP
internal import PasskeyHTTPServer
internal import PasskeyPages
internal import PasskeyProfiles
internal import PasskeyService

/// A running server with its background tasks.
struct RunningServer: Sendable {
  /// The URL at which this machine can reach it.
  let url: String

  private let http: HTTPServer
  private let tls: TLSFiles?
  private let store: OpenStore
  private let watcher: Task<Void, Never>
  private let sweeper: Task<Void, Never>
  private let deliverer: RunningDeliverer?
  private let deliveries: Deliveries
  private let follower: AuditFollower
  private let followerTask: Task<Void, Never>
  private let sequencer: RunningSequencer
  private let sequencerTask: Task<Void, Never>
  private let attestation: AttestationKeeper
  private let accessLog: (path: String, number: Int32)

  /// Opens the store and starts to listen.
  static func start(_ configuration: ServerConfiguration) async throws(CommandFailure) -> RunningServer {
    OpenFiles.raiseLimit()
    if case .file(let path) = configuration.database { try ServedFile.lock(path) }
    let store = try await OpenStore.open(configuration, for: .creating)
    let service = store.service
    let keeper = try AttestationKeeper(configuration.attestation) { service.replaceAttestationPolicy($0) }
    try await keeper.load()
    let auditLog = configuration.auditLog.map { AuditLogSink($0) }
    let monitor = StoreMonitor(
      store.service, file: store.file, auditLog: auditLog,
      exemptPaths: Set([EndpointName.health, .metrics].compactMap { (name) in configuration.profile[name]?.path }))
    let sequencer = RunningSequencer(
      store, secretPath: configuration.secretPath, RunningWitnesses(configuration.auditWitnesses, store.storage))
    let follower = AuditFollower(store.service, sink: auditLog)
    // Write pending audit records, and report an unwritable log, before the first request is served.
    await follower.follow()
    let gate = AuditLogGate(
      follower: follower, policy: configuration.auditLogFailure, healthPath: configuration.profile[.health]?.path)
    let accessLog = (path: configuration.accessLog, number: try AccessLogFile.open(configuration.accessLog))
    let metrics = MetricsRegistry()
    let deliveries = configuration.deliveries
    var http = HTTPServerConfiguration(
      address: configuration.listen.address, port: configuration.listen.port, tls: configuration.tls)
    http.limits = configuration.serverLimits
    http.trustedProxies = configuration.trustedProxies
    http.transportSecurity = configuration.transportSecurity
    http.accessLog = AccessLog(
      descriptor: accessLog.number, naming: configuration.accessLogIdentity)
    http.metrics = metrics
    let deliverer = try RunningDeliverer.start(
      deliveries, for: store.service, metrics: metrics, place: configuration.deliveryPlace)
    let endpoints = Endpoints(
      service: store.service, profile: configuration.profile, documents: configuration.documents,
      limits: configuration.limits, metrics: metrics, metricsAudience: configuration.metrics,
      cookieSecurity: configuration.cookieSecurity, servesAuditTiles: configuration.servesAuditTiles,
      site: try configuration.site.access(for: store.service))
    let pages = try configuration.pages?.site(for: endpoints, configuration)
    do throws(EndpointError) {
      let router = try EndpointRouter(
        endpoints.routes + PageScript.routes + (pages?.routes ?? [])
          + (configuration.servesDebugPage ? DebugPage.routes : []),
        errors: endpoints.errors,
        onUnknownError: { (error, request) in
          Diagnostics.server.note("error: request \(request.id): \("\(error)".escapedForTerminal)")
        }, notFound: { (request) in pages?.response(toUnknown: request) })
      let policy = endpoints.crossOriginPolicy
      let server = try HTTPServer(http) { (request) in
        await policy.respond(to: request) { (request) in
          if let refusal = gate.refusal(of: request) { return refusal }
          return await monitor.respond(to: request, by: router.respond)
        }
      }
      keeper.start()
      let address = ListeningAddress(address: server.address, port: server.port)
      return RunningServer(
        url: "\(configuration.tls == nil ? "http" : "https")://\(address)", http: server, tls: configuration.tls,
        store: store, watcher: Task { await monitor.watch() }, sweeper: sweep(store.service, monitor),
        deliverer: deliverer, deliveries: deliveries, follower: follower,
        followerTask: Task { await follower.run() }, sequencer: sequencer,
        sequencerTask: Task { await sequencer.run() }, attestation: keeper, accessLog: accessLog)
    } catch {
      if let tls = configuration.tls, error.code == .certificateUnusable { throw tls.unusable }
      throw .inputOutput("cannot listen at \(configuration.listen): \(error.description.escapedForTerminal)")
    }
  }

  /// Reloads the certificate and reopens the logs, as requested by SIGHUP.
  func reload() {
    AccessLogFile.reopen(accessLog.path, as: accessLog.number)
    follower.reopen()
    DeliveryKeys.reload(deliveries)
    attestation.reload()
    renewCertificate()
  }

  /// Uses the current certificate file for new connections, and reports the result.
  private func renewCertificate() {
    guard let tls else { return Diagnostics.server.note("there is no certificate to reload") }
    do throws(EndpointError) {
      let isNew = try http.renewCertificate()
      let path = tls.certificatePath.escapedForTerminal
      Diagnostics.server.note(
        isNew ? "now using the certificate in \(path)" : "the certificate in \(path) has not changed")
    } catch {
      Diagnostics.server.note("still using the old certificate: \(tls.unusable.message)")
    }
  }

  /// Stops accepting requests, completes those in progress, and closes.
  func stop() async {
    watcher.cancel()
    sweeper.cancel()
    followerTask.cancel()
    sequencerTask.cancel()
    await http.stop()
    attestation.stop()
    await deliverer?.stop()
    // Sequence and write the records of the last requests, and the checkpoint. Two passes at once would write the kept
    // checkpoint at once.
    await sequencerTask.value
    await sequencer.finish()
    await follower.finish()
    await sweeper.value
    await watcher.value
    await store.close()
  }

  /// Deletes expired data every minute. The next sweep retries after a failure.
  private static func sweep(_ service: AuthService, _ monitor: StoreMonitor) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        do throws(ServiceError) {
          try await service.deleteExpired(at: Clock.now)
        } catch {
          if !monitor.report(error) {
            Diagnostics.server.note("cannot delete expired records now: \("\(error)".escapedForTerminal)")
          }
        }
        try? await Task.sleep(for: .seconds(60))
      }
    }
  }
}

extension TLSFiles {
  /// The error for an unusable certificate or key file.
  var unusable: CommandFailure {
    .inputOutput(
      "\(certificatePath.quotedForTerminal) and \(keyPath.quotedForTerminal) are not a certificate and its private key",
      hint: "both are PEM; the server's certificate comes first in its file, and the key has no password")
  }
}

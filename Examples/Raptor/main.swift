// SPDX-License-Identifier: Apache-2.0

// A paper-trading back end that embeds the auth service. PasskeyService and its endpoints decide who the user is; this
// program decides what the user may do with paper money. An order needs a step-up for exactly its bytes once the user's
// unconfirmed orders of an hour exceed a threshold. Orders are rate limited. Its tables are in the service's database: an
// order, its confirmation, its audit record and its notice are one transaction. Filled and rejected orders are printed. Its page
// has the frame of the service's pages.
//
// Usage.swift lists the environment variables that configure it.

import Glibc
import PasskeyCrypto
import PasskeyDelivery
import PasskeyFormats
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyPages
import PasskeyService
import PasskeySQLite
import PasskeyStorage
import Synchronization
import WebAuthnRelyingParty
import WebAuthnTypes

struct Settings {
  func text(_ name: String, default value: String) -> String {
    guard let text = unsafe getenv(name) else { return value }
    return unsafe String(cString: text)
  }

  var relyingParty: RelyingParty {
    get throws {
      try RelyingParty(
        id: RelyingPartyID(text("RP_ID", default: "raxx.app")), name: "Raxx",
        origins: text("ORIGIN", default: "https://raxx.app").split(separator: ",").map { try WebOrigin(String($0)) })
    }
  }

  var server: HTTPServerConfiguration {
    get throws {
      let listen = text("RAPTOR_LISTEN", default: "127.0.0.1:8443")
      let parts = listen.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let address = IPAddress(parts[0]), let port = UInt16(parts[1]) else {
        throw Fault("RAPTOR_LISTEN is \(listen.debugDescription), not an address and a port such as 127.0.0.1:8443")
      }
      var server = HTTPServerConfiguration(address: address, port: port)
      let (certificate, key) = (text("RAPTOR_CERTIFICATE", default: ""), text("RAPTOR_KEY", default: ""))
      if !certificate.isEmpty { server.tls = TLSFiles(certificatePath: certificate, keyPath: key) }
      return server
    }
  }

  var database: String { text("RAPTOR_DATABASE", default: "raptor.sqlite") }
}

/// An invalid setting.
struct Fault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func say(_ text: String) {
  print("raptor: \(text)")
  fflush(nil)
}

/// The current time.
func now() -> UnixTime {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return UnixTime(secondsSince1970: Int64(time.tv_sec))
}

Usage.handle(Array(CommandLine.arguments.dropFirst()))

// True from the first SIGTERM or SIGINT. Blocked signals would end the process: the main thread unblocks all of them.
let isStopping = Atomic(false)
for number in [SIGTERM, SIGINT] { signal(number) { (_) in isStopping.store(true, ordering: .relaxed) } }
umask(0o077)

do {
  let settings = Settings()
  let configuration = try settings.server
  let storage = try await SQLiteStorage.open(settings.database, embedded: Book.tables)
  let secret = ServerSecret(path: settings.database + ".secret")
  // A new secret is safe only while the store is empty: no client has seen a decoy yet.
  let isNew = try await storage.isEmpty()
  let relyingParty = try settings.relyingParty
  var policy = ServicePolicy()
  policy.destinations = [Journal.destination]
  let service = try AuthService(
    relyingParty: relyingParty, storage: storage,
    decoys: DecoyCredentials(key: secret.key(creating: isNew), for: relyingParty.id), policy: policy)
  // Fails if the store belongs to another relying party or was used with another secret.
  try await service.claimStore(at: now())
  var documents = WellKnownDocuments()
  documents.script = PageScript.passkey.reference
  let endpoints = Endpoints(service: service, documents: documents)
  let pages = try SitePages(for: endpoints, adding: [.portfolio])
  let router = try EndpointRouter(
    endpoints.routes + PageScript.routes + pages.routes + TradingFloor(endpoints).routes, errors: endpoints.errors,
    onUnknownError: { (error, request) in say("error: request \(request.id): \(error)") },
    notFound: pages.response(toUnknown:))
  let crossOrigin = endpoints.crossOriginPolicy
  let server = try HTTPServer(configuration) { (request) in await crossOrigin.respond(to: request, by: router.respond) }
  say("listening at \(server.address):\(server.port)")
  let deliverer = try Deliverer(service, to: [Journal.destination.name: Journal()], clock: { now() })
  let delivering = Task { await deliverer.run() }
  // Deletes expired ceremonies and sessions every minute, and signs the audit log.
  let sweeper = Task {
    while !Task.isCancelled {
      do { try await service.sweep(at: now()) } catch { say("error: \(error)") }
      try? await Task.sleep(for: .seconds(60))
    }
  }
  // Polls, because a blocking wait would occupy a thread of the cooperative pool.
  while !isStopping.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(50)) }
  say("stopping")
  sweeper.cancel()
  await server.stop()
  delivering.cancel()
  await delivering.value
  await storage.close()
} catch {
  say("error: \(error)")
  exit(1)
}

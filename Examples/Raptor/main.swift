// SPDX-License-Identifier: Apache-2.0

// A paper-trading back end that embeds the auth service: who the user is comes from PasskeyService and its endpoints, and
// what they may do with paper money is here. Once an account's unconfirmed orders of an hour come to more than a threshold,
// each further order needs a confirmation of exactly that order. Orders are rate limited.
//
// It is configured by the environment, so that the program stays a page:
//
//   RAPTOR_LISTEN        127.0.0.1:8443    a port of 0 lets the system choose
//   RAPTOR_DATABASE      raptor.sqlite     and beside it raptor.sqlite.secret, which is as secret and as old
//   RAPTOR_CERTIFICATE   PEM files, for TLS
//   RAPTOR_KEY
//   RP_ID, ORIGIN        raxx.app, https://raxx.app

import Glibc
import PasskeyHTTP
import PasskeyService
import PasskeyStorage
import SystemCrypto
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

struct Settings {
  func text(_ name: String, _ standard: String) -> String {
    guard let value = unsafe getenv(name) else { return standard }
    return unsafe String(cString: value)
  }

  var relyingParty: RelyingParty {
    get throws {
      try RelyingParty(
        id: RelyingPartyID(text("RP_ID", "raxx.app")), name: "Raxx",
        origins: text("ORIGIN", "https://raxx.app").split(separator: ",").map { try Origin(String($0)) })
    }
  }

  var server: HTTPServerConfiguration {
    get throws {
      let listen = text("RAPTOR_LISTEN", "127.0.0.1:8443")
      let parts = listen.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let address = IPAddress(parts[0]), let port = UInt16(parts[1]) else {
        throw Fault("RAPTOR_LISTEN cannot be \(listen.debugDescription): it is written 127.0.0.1:8443")
      }
      var server = HTTPServerConfiguration(address: address, port: port)
      let (certificate, key) = (text("RAPTOR_CERTIFICATE", ""), text("RAPTOR_KEY", ""))
      if !certificate.isEmpty { server.tls = TLSFiles(certificatePath: certificate, keyPath: key) }
      return server
    }
  }

  var database: String { text("RAPTOR_DATABASE", "raptor.sqlite") }
}

/// A setting that is wrong.
struct Fault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

func say(_ text: String) {
  print("raptor: \(text)")
  fflush(nil)
}

// The signals that end the process are asked for below, and held back in every thread that there will be.
var signals = sigset_t()
unsafe sigemptyset(&signals)
unsafe sigaddset(&signals, SIGTERM)
unsafe sigaddset(&signals, SIGINT)
unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
umask(0o077)

do {
  let settings = Settings()
  let configuration = try settings.server
  let storage = try await SQLiteStorage.open(settings.database)
  let secret = DecoySecret(path: settings.database + ".secret")
  // Before there are accounts, nobody has been shown a decoy.
  let isNew = try await storage.accounts(after: nil, state: nil, limit: 1).isEmpty
  let relyingParty = try settings.relyingParty
  let service = try AuthService(
    relyingParty: relyingParty, storage: storage,
    decoys: DecoyCredentials(key: secret.key(makingIt: isNew), for: relyingParty.id))
  // The accounts are this relying party's, and their decoys are made of this secret, or nothing is served.
  try await service.claimStore()
  let endpoints = Endpoints(service: service)
  let router = try Router(endpoints.routes + TradingFloor(endpoints).routes)
  let policy = endpoints.crossOriginPolicy
  let server = try HTTPServer(configuration) { (request) in await policy.respond(to: request, by: router.respond) }
  say("listening at \(server.address):\(server.port)")
  // What nobody can use any more goes: ceremonies and sessions that have ended.
  let sweeper = Task {
    while !Task.isCancelled {
      var time = timespec()
      unsafe clock_gettime(CLOCK_REALTIME, &time)
      _ = try? await service.sweep(at: Timestamp(secondsSince1970: Int64(time.tv_sec)))
      try? await Task.sleep(for: .seconds(60))
    }
  }
  // Asked now and then: whoever waited in a thread of the pool would keep others from working.
  var now = timespec()
  while unsafe sigtimedwait(&signals, nil, &now) < 0 { try await Task.sleep(for: .milliseconds(50)) }
  say("stopping")
  sweeper.cancel()
  await server.stop()
  await storage.close()
} catch {
  say("error: \(error)")
  exit(1)
}

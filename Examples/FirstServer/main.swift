// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyHTTPServer
import Passkeys
import Synchronization

let program = CommandLine.arguments.first ?? "my-server"
let argument = CommandLine.arguments.dropFirst().first ?? "8080"
guard let port = UInt16(argument) else {
  print("usage: \(program) [PORT]    serve sign-in with passkeys at http://127.0.0.1:PORT (8080)")
  exit(argument == "--help" || argument == "-h" ? 0 : 2)
}

// True from the first SIGTERM or SIGINT.
let isStopping = Atomic(false)
for number in [SIGTERM, SIGINT] { signal(number) { (_) in isStopping.store(true, ordering: .relaxed) } }

// The relying party. Its id is your domain and never changes; the origins are the addresses of your pages.
let relyingParty = try RelyingParty(
  id: RelyingPartyID("localhost"), name: "First server", origins: [WebOrigin("http://localhost:8080")])

// The service. This store is in a folder for temporary files: use SQLiteStorage.open("accounts.sqlite"),
// and keep the 32 bytes of the secret in a file as long as the accounts.
let secret = try RandomSource.system.secret(32)
let service = try AuthService(
  relyingParty: relyingParty, storage: SQLiteStorage.temporary(),
  decoys: DecoyCredentials(key: secret, for: relyingParty.id))
try await service.claimStore(at: .now)

// The endpoints of the service, and one of your own that requires a session.
let endpoints = Endpoints(service: service)
let hello = EndpointRoute(.get, "/api/hello") { (request) in
  let session = try await endpoints.authenticate(request)
  return .json(["hello": .string(session.account.name)])
}

// The server, on the port that the first argument names.
let router = try EndpointRouter(endpoints.routes + [hello]) { (error, request) in
  print("error: request \(request.id): \(error)")
  fflush(nil)
}
let crossOrigin = endpoints.crossOriginPolicy
do {
  let server = try HTTPServer(HTTPServerConfiguration(address: .loopback, port: port)) { (request) in
    await crossOrigin.respond(to: request, by: router.respond)
  }
  print("listening at http://127.0.0.1:\(server.port)")
  fflush(nil)
  let sweeping = Task {
    while !Task.isCancelled {  // deletes expired data and signs the audit log, once a minute
      do { try await service.sweep(at: .now) } catch { print("error: \(error)") }
      try? await Task.sleep(for: .seconds(60))
    }
  }
  while !isStopping.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(50)) }
  sweeping.cancel()
  await server.stop()  // answers the requests in progress
} catch let error as EndpointError {
  print("error: cannot listen at port \(port) (\(error)); name another port: \(program) 8081")
  exit(1)
}

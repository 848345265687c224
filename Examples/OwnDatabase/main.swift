// SPDX-License-Identifier: Apache-2.0

// A bookshop with the tables of the auth service in its own database: shop.db or postgres://shop@localhost/shop?schema=auth.
// An order and its confirmation are one transaction: in SQLite one of the service, in PostgreSQL one of the shop.

import Foundation
import PasskeyHTTPServer
import Passkeys

guard let location = CommandLine.arguments.dropFirst().first, !location.hasPrefix("-"),
  let text = unsafe getenv("SHOP_SECRET"), let key = Data(base64Encoded: unsafe String(cString: text)), key.count == 32
else {
  print(
    "usage: SHOP_SECRET=BASE64 OwnDatabase FILE|URL    the secret: openssl rand -base64 32, kept as long as the accounts"
  )
  exit(2)
}
let relyingParty = try RelyingParty(
  id: RelyingPartyID("localhost"), name: "Bookshop", origins: [WebOrigin("http://localhost:8080")])
let shop: any Shop =
  location.hasPrefix("postgres") ? try await PostgreSQLShop(location) : try await SQLiteShop(location)
let service = try AuthService(
  relyingParty: relyingParty, storage: shop.storage,
  decoys: DecoyCredentials(key: SecretBytes(key), for: relyingParty.id))
try await service.claimStore(at: .now)
let endpoints = Endpoints(service: service)
let router = try EndpointRouter(endpoints.routes + routes(of: shop, at: endpoints)) { (error, request) in
  print("error: request \(request.id): \(error)")
}
let server = try HTTPServer(HTTPServerConfiguration(address: .loopback, port: 8080)) { (request) in
  await endpoints.crossOriginPolicy.respond(to: request, by: router.respond)
}
print("listening at http://127.0.0.1:\(server.port)")
while true {
  // Deletes expired data, and signs the audit log.
  do { try await service.sweep(at: .now) } catch { print("error: \(error)") }
  try await Task.sleep(for: .seconds(60))
}

// SPDX-License-Identifier: Apache-2.0

// A server with the endpoints of FIDO's server tests, in memory. Anyone can register a passkey for any name: run it for
// tests only. `usage` below describes it.

import FIDOEndpoints
import Foundation
import PasskeyHTTPServer
import Passkeys

let usage = """
  ConformanceServer: a relying party for FIDO's server tests, in memory

  usage: ConformanceServer [--port N] [--origin URL] [--rp-id ID] [--metadata FOLDER]

  Serves POST /attestation/options, /attestation/result, /assertion/options and
  /assertion/result. A refusal has the members code, step and causes.

  options:
    --port N           listen at this port of the loopback interface (8080)
    --origin URL       the origin of the pages (http://localhost:PORT)
    --rp-id ID         the RP ID (localhost)
    --metadata FOLDER  trust the authenticators in the BLOBs (*.jwt) of this folder, which
                       are signed below its certificates (*.cer) and checked against
                       its revocation lists (*.crl)
    -h, --help         show this help

  """

/// An error before the server listens.
struct StartFailure: Error, CustomStringConvertible {
  let description: String
}

struct Settings {
  var port: UInt16 = 8080
  var origin: String?
  var relyingPartyID = "localhost"
  var metadata: String?

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw StartFailure(description: "\(option) has no value") }
      switch option {
      case "--port":
        guard let port = UInt16(value) else { throw StartFailure(description: "\(value) is no port") }
        self.port = port
      case "--origin": origin = value
      case "--rp-id": relyingPartyID = value
      case "--metadata": metadata = value
      default: throw StartFailure(description: "unknown option \(option)")
      }
    }
  }
}

/// Reads the metadata of a folder. Prints a line for each refused BLOB.
func readMetadata(_ folder: String?) throws -> FIDOServerMetadata {
  var names: [String] = []
  if let folder { names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  func files(_ suffix: String) throws -> [(name: String, bytes: [UInt8])] {
    try names.filter { $0.hasSuffix(suffix) }.map { (name) in
      (name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder ?? "")/\(name)"))))
    }
  }
  let metadata = FIDOServerMetadata(
    blobs: try files(".jwt").map { (name: $0.name, token: $0.bytes) },
    anchors: try files(".cer").map { (file) in try X509Certificate(der: file.bytes) },
    revocationLists: try files(".crl").map { (file) in try RevocationList(der: file.bytes) }, at: .now)
  for (name, codes) in metadata.refused.sorted(by: { $0.key < $1.key }) {
    print("refused \(name): \(codes.joined(separator: ", "))")
  }
  return metadata
}

/// The endpoints, one request at a time.
actor Conformance {
  private var server: FIDOServer

  init(_ server: FIDOServer) {
    self.server = server
  }

  func respond(to request: EndpointRequest) -> EndpointResponse {
    // The session is the only cookie of this server.
    let cookie = request.headers["cookie"].flatMap { (field) in
      field.split(separator: ";").map { $0.drop { $0 == " " } }.first { $0.hasPrefix("session=") }
    }
    let session = cookie.map { String($0.dropFirst("session=".count)) } ?? UUID().uuidString
    guard request.method == .post,
      let reply = server.answer(request.target.path, Array(request.body), session: session, at: request.receivedAt)
    else { return EndpointResponse(.notFound) }
    var response = EndpointResponse(
      EndpointStatus(rawValue: reply.status), contentType: "application/json", body: reply.body)
    if cookie == nil { response.headers.add("set-cookie", "session=\(session); Path=/; HttpOnly; SameSite=Lax") }
    return response
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--help"] || arguments == ["-h"] {
  print(usage, terminator: "")
  exit(0)
}
do {
  let settings = try Settings(arguments)
  let origin = settings.origin ?? "http://localhost:\(settings.port)"
  let conformance = Conformance(
    try FIDOServer(
      id: RelyingPartyID(settings.relyingPartyID), origins: [WebOrigin(origin)],
      metadata: readMetadata(settings.metadata)))
  let server = try HTTPServer(HTTPServerConfiguration(address: .loopback, port: settings.port)) { (request) in
    await conformance.respond(to: request)
  }
  print("serving \(origin) at http://localhost:\(server.port)")
  fflush(nil)
  while true { try await Task.sleep(for: .seconds(3600)) }
} catch {
  FileHandle.standardError.write(Data("ConformanceServer: error: \(error)\n".utf8))
  exit(2)
}

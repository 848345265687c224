// SPDX-License-Identifier: Apache-2.0

// A relying party with a switch for each fault that `passkey audit` finds:
// FaultyRelyingParty [--fault ID]… [--attestation] [--policies] [--port N] [--list]

import Glibc
import PasskeyHTTP

var faults: Set<String> = []
var settings = FaultyServer.Settings()
settings.mails = { (address, code) in
  print("mail to \(address): \(code)")
  fflush(nil)
}
var arguments = CommandLine.arguments.dropFirst()

if arguments.contains("--list") {
  for fault in RelyingPartyFault.all { print("\(fault.id): \(fault.behavior)") }
} else {
  while let option = arguments.popFirst() {
    if option == "--attestation" || option == "--policies" {
      if option == "--attestation" { settings.asksForAttestation = true } else { settings.asksForPolicies = true }
      continue
    }
    switch (option, arguments.popFirst()) {
    case ("--fault", let id?): faults.insert(id)
    case ("--port", let text?): settings.port = UInt16(text) ?? 0
    default: print("unknown option \(option); use --fault ID, --attestation, --policies, --port N or --list")
    }
  }
  do {
    let server = try FaultyServer(faults: faults, settings)
    print("listening at \(server.url)")
    while true { try await Task.sleep(for: .seconds(3600)) }
  } catch {
    print(error)
  }
}

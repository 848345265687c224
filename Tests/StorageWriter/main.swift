// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyService
import PasskeyStorage
import WebAuthnTypes
import WireFormats

// StorageWriter PATH, or StorageWriter URL SCHEMA: records events, eight at a time, and writes a line with the number of each
// event once it is acknowledged, until the process is killed.

let arguments = CommandLine.arguments.dropFirst()
guard let database = arguments.first else { exit(2) }

func open() async throws(StorageError) -> any Storage {
  guard let schema = arguments.dropFirst().first else { return try await SQLiteStorage.open(database) }
  return try await PostgreSQLStorage.open(PostgreSQLConfiguration(url: database, schema: schema))
}

do throws(StorageError) {
  let storage = try await open()
  await withTaskGroup(of: Void.self) { (group) in
    for writer in 0..<8 {
      group.addTask {
        for number in 0... {
          let event = "\(getpid())-\(writer)-\(number)"
          let draft = AuditDraft(
            time: Timestamp(secondsSince1970: 0), actor: nil, account: nil, event: .sessionOpened, requestID: event)
          do throws(StorageError) {
            try await storage.append([draft])
          } catch {
            exit(1)
          }
          let line = event + "\n"
          _ = unsafe write(STDOUT_FILENO, line, line.utf8.count)
        }
      }
    }
  }
} catch {
  exit(1)
}

// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
import PasskeyService
import Testing

@testable import PasskeyStorage

/// Errors that are detected before any connection.
@Suite struct PostgreSQLURLTests {
  @Test(arguments: [
    "postgres://u:pa:secret@h/n", "postgres://u:pa@secret@h/n", "postgres://u:pa/secret@h/n",
    "postgresql://u:secret%zz@h/n", "postgres://u:secret%2@h/n", "postgres://u:pa@secret/w@h", "postgres://u:secret",
    "postgres://u:secret/n", "postgres://u:secret?sslmode=w/rd@h/n", "postgres://h:5432,u:secret/n",
    "postgres://[::1]:secret/n", "postgres://u:p?a@secret@h/n",
  ])
  func `an unescaped password is reported but not shown`(url: String) async {
    let error = await #expect(throws: StorageError.self) {
      _ = try await PostgreSQLStorage.open(PostgreSQLConfiguration(url: url))
    }
    #expect(
      error == StorageError(.configurationInvalid, "the URL may contain a password that is not percent-encoded"),
      "\(error.map { "\($0)" } ?? "nothing")")
  }

  @Test(arguments: [
    "", "passkey.db", "mysql://somewhere", "postgres://user:secret@[::1/name", "postgres://u:secret@h/n?no=secret",
    "postgres://u:p@h/n?secret", "host=h password=secret",
  ])
  func `an invalid database URL is refused and not shown`(url: String) async {
    let error = await #expect(throws: StorageError.self) {
      _ = try await PostgreSQLStorage.open(PostgreSQLConfiguration(url: url))
    }
    #expect(error?.code == .configurationInvalid && error?.detail.contains("secret") == false)
    #expect(error?.detail.contains("postgres://user@host:port/name") == true)
  }

  @Test(arguments: [
    "postgres://u:p%40ss%2Fw%3A@h/n", "postgres://h", "postgres://u@h1:5432,h2:5432/n?password=a@b:c/d",
    "postgresql://u:secret@[::1]:5432/n", "postgresql://[::1],[fe80::1]:5432/n", "postgres:///n?host=/run/postgresql",
    "postgres://", "postgres://u:p%3Aa?ss@h/n?application_name=a@b", "postgres://h:/n",
  ])
  func `other URLs are passed to libpq`(url: String) throws {
    try PostgreSQLConfiguration(url: url).requireReadable()
  }

  @Test(arguments: ["", "No; DROP", "1st", "pass-key", String(repeating: "a", count: 64)])
  func `a schema name that needs quotes is refused`(schema: String) {
    let error = #expect(throws: StorageError.self) {
      try PostgreSQLConfiguration(url: "postgres://h/n", schema: schema).requireReadable()
    }
    #expect(error?.code == .configurationInvalid && error?.detail.contains("schema") == true)
  }

  @Test(arguments: [
    ("postgres://h/n?schema=shop", "postgres://h/n", "shop"),
    ("postgres://h/n?sslmode=require&schema=shop&options=x", "postgres://h/n?sslmode=require&options=x", "shop"),
    ("postgres://h/n?sslmode=require", "postgres://h/n?sslmode=require", "passkey"),
    ("postgres://h/n", "postgres://h/n", "passkey"),
  ])
  func `the parameter for the schema is taken out of the URL`(text: String, url: String, schema: String) {
    let configuration = PostgreSQLConfiguration(url: text)
    #expect(configuration.url == url && configuration.schema == schema)
    #expect(PostgreSQLConfiguration(url: text, schema: "other").schema == "other")
  }

  @Test(arguments: ["postgres://h/n?schema=", "postgres://h/n?schema=Shop", "postgres://h/n?schema=a%20b"])
  func `an invalid schema in the URL is refused`(text: String) {
    let error = #expect(throws: StorageError.self) { try PostgreSQLConfiguration(url: text).requireReadable() }
    #expect(error?.code == .configurationInvalid)
  }
}

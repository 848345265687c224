// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import Testing
import WebAuthnTypes

@testable import WebAuthnAuthenticator

struct SigningKeyCacheTests {
  /// Returns passkeys whose keys are all in the cache.
  private func filled(_ count: Int) throws -> (cache: SigningKeyCache, passkeys: [StoredPasskey]) {
    var cache = SigningKeyCache()
    var passkeys: [StoredPasskey] = []
    for number in 0..<count {
      let passkey = try StoredPasskey.made(for: "raxx.app", user: "\(number)", isDiscoverable: true)
      cache.insert(try SigningKey(passkey.algorithm, pkcs8: passkey.privateKey), of: passkey.id, passkey.privateKey)
      passkeys.append(passkey)
    }
    return (cache, passkeys)
  }

  @Test func `the keys used last are cached`() throws {
    var (cache, passkeys) = try filled(16)
    let oldest = try #require(passkeys.first)
    #expect(try cache.key(of: oldest)?.pkcs8 == oldest.privateKey)
    let newest = try StoredPasskey.made(for: "raxx.app", user: "new", isDiscoverable: true)
    cache.insert(try SigningKey(newest.algorithm, pkcs8: newest.privateKey), of: newest.id, newest.privateKey)
    // The second is the least recently used.
    let areThere = passkeys.map { (passkey) in cache.key(of: passkey) != nil }
    #expect(areThere == [true, false] + [Bool](repeating: true, count: 14))
    #expect(cache.key(of: newest) != nil)
  }

  @Test func `a key that left the vault is not returned`() throws {
    var (cache, passkeys) = try filled(2)
    let other = try StoredPasskey.made(for: "raxx.app", user: "other", isDiscoverable: true)
    #expect(cache.key(of: other) == nil)
    cache.insert(try SigningKey(other.algorithm, pkcs8: other.privateKey), of: passkeys[0].id, other.privateKey)
    #expect(cache.key(of: passkeys[0]) == nil)
    #expect(cache.key(of: passkeys[1]) != nil)
    cache.removeAll()
    #expect(cache.key(of: passkeys[1]) == nil)
  }
}

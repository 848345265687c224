// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct OpaqueBytesTests {
  @Test func `a credential ID has 1 to 1023 bytes`() throws {
    #expect(try CredentialID(run(1)).bytes[...] == run(1))
    #expect(try CredentialID(run(1023)).bytes.count == 1023)
    #expect(throws: FormatError(.credentialIDInvalidLength, at: 7)) { try CredentialID(run(0)) }
    #expect(throws: FormatError(.credentialIDInvalidLength, at: 7)) { try CredentialID(run(1024)) }
  }

  @Test func `a user handle has 1 to 64 bytes`() throws {
    #expect(try UserHandle(run(64)).bytes.count == 64)
    #expect(throws: FormatError(.userHandleInvalidLength, at: 7)) { try UserHandle(run(0)) }
    #expect(throws: FormatError(.userHandleInvalidLength, at: 7)) { try UserHandle(run(65)) }
  }

  @Test func `a challenge has at least 16 bytes, unless a guessable length is allowed`() throws {
    #expect(try Challenge(run(16)).bytes.count == 16)
    #expect(throws: FormatError(.challengeTooShort, at: 7)) { try Challenge(run(15)) }
    #expect(Challenge(allowingGuessableLength: run(3)).bytes.count == 3)
  }

  @Test func `equality and hash depend on the bytes only, not on the slice`() throws {
    let one = try CredentialID([1, 2, 3])
    let other = try CredentialID([0, 1, 2, 3].dropFirst())
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(try Set([one, other, CredentialID([1, 2])]).count == 2)
  }

  @Test func `coders read and write base64url`() throws {
    let id = try CredentialID([0xfb, 0xff, 0x01])
    #expect(id.description == "-_8B")
    #expect(try decode([CredentialID].self, from: encode([id])) == [id])
    #expect(String(decoding: try encode([id]), as: UTF8.self) == #"["-_8B"]"#)
  }

  @Test func `a decoding error contains the code`() {
    #expect {
      try decode([CredentialID].self, from: #"[""]"#)
    } throws: { error in
      underlyingError(error) == FormatError(.credentialIDInvalidLength, at: 0)
    }
    #expect(throws: DecodingError.self) { try decode([CredentialID].self, from: #"["a+b="]"#) }
  }

  /// A slice that does not start at 0, so that a test sees what an offset is relative to.
  private func run(_ count: Int) -> Bytes {
    [UInt8](repeating: 0x2a, count: count + 7).dropFirst(7)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemCrypto
internal import WireFormats

/// One client on a persistent connection: it gets options, signs, posts its assertion, and begins again.
final class LoadClient {
  /// An unsuccessful or missing response.
  struct Unexpected: Error {
    let answer: String
  }

  /// The state after some bytes have arrived.
  enum Progress {
    /// The response is incomplete.
    case none
    /// The client has the options and has sent the assertion.
    case begun
    /// The session was opened.
    case signedIn
  }

  let descriptor: CInt
  private var person: LoadAccounts.Person?
  private var isBegun = false
  private var received: [UInt8] = []

  private static let requestHead = """
    Host: 127.0.0.1\r\nUser-Agent: passkey-load\r\nOrigin: https://raxx.app\r\nAccept: application/json\r\n\
    Content-Type: application/json\r\nContent-Length: 
    """
  private static let authenticatorData =
    Digest.sha256([UInt8]("raxx.app".utf8)[...]) + [0x1d, 0, 0, 0, 0]
  private static let encodedAuthenticatorData = Base64URL.encode(authenticatorData)

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = unsafe withUnsafePointer(to: &address) { (address) in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Unexpected(answer: "no connection") }
    var isImmediate: CInt = 1
    unsafe setsockopt(
      descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isImmediate, socklen_t(MemoryLayout<CInt>.size))
    received.reserveCapacity(8192)
  }

  deinit {
    close(descriptor)
  }

  /// Requests the options of an account.
  func begin(as person: LoadAccounts.Person) throws {
    self.person = person
    isBegun = false
    try send("/api/auth/login/options", #"{"email":"\#(person.email)"}"#)
  }

  /// Reads the available bytes.
  func proceed() throws -> Progress {
    try receive()
    guard let body = try takeBody(), let person else { return .none }
    guard !isBegun else {
      guard body.holds(#""token":""#) else { throw Unexpected(answer: String(decoding: body, as: UTF8.self)) }
      return .signedIn
    }
    let credential = Base64URL.encode(person.credential)
    // An unknown account gets decoy options without this credential.
    guard body.holds(credential), let challenge = body.string(behind: #""challenge":""#) else {
      throw Unexpected(answer: String(decoding: body, as: UTF8.self))
    }
    isBegun = true
    try send("/api/auth/login/verify", try Self.assertion(of: person, credential, challenge))
    return .begun
  }

  private static func assertion(
    of person: LoadAccounts.Person, _ credential: String, _ challenge: String
  ) throws -> String {
    let clientData = [UInt8](
      #"{"type":"webauthn.get","challenge":"\#(challenge)","origin":"https://raxx.app","crossOrigin":false}"#.utf8)
    let signature = try person.key.sign((authenticatorData + Digest.sha256(clientData[...]))[...])
    return """
      {"credential":{"id":"\(credential)","rawId":"\(credential)","type":"public-key",\
      "authenticatorAttachment":"platform","clientExtensionResults":{},"response":{\
      "clientDataJSON":"\(Base64URL.encode(clientData))","authenticatorData":"\(encodedAuthenticatorData)",\
      "signature":"\(Base64URL.encode(signature))"}}}
      """
  }

  private func send(_ path: String, _ body: String) throws {
    let request = [UInt8]("POST \(path) HTTP/1.1\r\n\(Self.requestHead)\(body.utf8.count)\r\n\r\n\(body)".utf8)
    // A request is smaller than an empty send buffer.
    guard unsafe Glibc.send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) == request.count else {
      throw Unexpected(answer: "the send buffer is full")
    }
  }

  private func receive() throws {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else { throw Unexpected(answer: "the server closed the connection") }
    received += chunk.prefix(count)
  }

  /// Returns the body of the response once it is complete.
  private func takeBody() throws -> ArraySlice<UInt8>? {
    guard let end = received[...].place(of: "\r\n\r\n") else { return nil }
    let head = received[..<end]
    guard head.starts(with: "HTTP/1.1 200 ".utf8), let place = head.place(of: "Content-Length: ") else {
      throw Unexpected(answer: String(decoding: received, as: UTF8.self))
    }
    let digits = head[(place + "Content-Length: ".utf8.count)...].prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    let length = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard received.count >= end + 4 + length else { return nil }
    let body = received[(end + 4)..<(end + 4 + length)]
    received = []
    return body
  }
}

extension ArraySlice<UInt8> {
  /// Returns the first position of a text.
  fileprivate func place(of text: String) -> Int? {
    let wanted = [UInt8](text.utf8)
    return unsafe withUnsafeBytes { (bytes) in
      guard let first = wanted.first, let start = bytes.baseAddress else { return nil }
      var place = 0
      while place + wanted.count <= bytes.count {
        guard let found = unsafe memchr(start + place, CInt(first), bytes.count - wanted.count + 1 - place) else {
          return nil
        }
        if unsafe memcmp(found, wanted, wanted.count) == 0 {
          return unsafe startIndex + (UnsafeRawPointer(found) - start)
        }
        place = unsafe UnsafeRawPointer(found) - start + 1
      }
      return nil
    }
  }

  fileprivate func holds(_ text: String) -> Bool { place(of: text) != nil }

  /// Returns the text from the end of `start` to the next quotation mark.
  fileprivate func string(behind text: String) -> String? {
    guard let place = place(of: text) else { return nil }
    let rest = self[(place + text.utf8.count)...]
    return String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyHTTP

/// The address and port to listen on, as in `127.0.0.1:8080` and `[::1]:8080`.
struct ListeningAddress: Hashable, Sendable, CustomStringConvertible {
  let address: IPAddress
  let port: UInt16

  init(_ choice: Settings.Choice) throws(CommandFailure) {
    let text = choice.text
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      let address = Self.address(text[..<colon])
    else { throw choice.refused("use an address and a port, such as 127.0.0.1:8080 or [::1]:8080") }
    self.address = address
    self.port = port
  }

  init(address: IPAddress, port: UInt16) {
    self.address = address
    self.port = port
  }

  /// Whether only this machine can connect.
  var isLoopback: Bool { address.isLoopback }

  var description: String { Self.isBracketed(address) ? "[\(address)]:\(port)" : "\(address):\(port)" }

  private static func address(_ text: Substring) -> IPAddress? {
    guard text.first == "[", text.last == "]" else { return text.contains(":") ? nil : IPAddress(text) }
    let inside = text.dropFirst().dropLast()
    return inside.contains(":") ? IPAddress(inside) : nil
  }

  private static func isBracketed(_ address: IPAddress) -> Bool { address.version == .six }
}

// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnAuthenticator

/// The input is USB traffic: valid and corrupted packets, passing time, and the authenticator's replies. The output
/// must be complete messages, and at most one command runs at a time.
func checkReports(_ input: Bytes) throws(Violation) {
  var cable = Cable()
  var reader = ByteReader(input)
  while let event = try? reader.readByte() {
    switch event & 7 {
    case 0, 1, 2:
      // Packets truncated by the end of the input have an invalid length.
      try cable.receive((try? reader.read(HIDReport.byteCount)) ?? reader.readRest())
    case 3: try cable.expire(Int((try? reader.readByte()) ?? 0))
    case 4: try cable.finish([UInt8](repeating: event, count: Int((try? reader.readUInt16()) ?? 1)))
    case 5: try cable.keepAlive(event)
    case 6: try cable.send(channel: UInt32((try? reader.readByte()) ?? 1), (try? reader.readUInt16()) ?? 0)
    default: try cable.open(mayBeLocked: true)
    }
  }
  // After the longest lock has expired, a new channel can be opened.
  try cable.expire(2500)
  try cable.open(mayBeLocked: false)
}

/// The link, and checks on the receiving end.
private struct Cable {
  private var link = HIDLink()
  private var time = Duration.zero
  private var isRunning = false

  private static let cbor: UInt8 = 0x10
  private static let initialize: UInt8 = 0x06
  private static let error: UInt8 = 0x3f
  private static let channelBusy: UInt8 = 0x06

  mutating func receive(_ packet: Bytes) throws(Violation) {
    _ = try answers(to: link.receive(packet, at: time))
  }

  mutating func expire(_ milliseconds: Int) throws(Violation) {
    time += .milliseconds(milliseconds * 4)
    _ = try answers(to: link.expire(at: time))
    try require(link.deadline.map { $0 > time } ?? true, "an expired deadline remains")
  }

  mutating func finish(_ answer: [UInt8]) throws(Violation) {
    guard isRunning else { return }
    isRunning = false
    let reply = answer.prefix(HIDReport.maximumMessageByteCount)
    for message in try answers(to: link.finish(reply)) {
      try require(message.payload == [UInt8](reply), "the sent answer differs from the reply")
    }
  }

  mutating func keepAlive(_ status: UInt8) throws(Violation) {
    let messages = try answers(to: link.keepAlive(status))
    try require(messages.isEmpty || isRunning, "a keepalive without a running command")
  }

  /// Sends a whole message, which must arrive unchanged or be rejected.
  mutating func send(channel: UInt32, _ length: UInt16) throws(Violation) {
    let sent = (0..<Int(length) % (HIDReport.maximumMessageByteCount + 1)).map { UInt8(truncatingIfNeeded: $0) }
    for report in HIDReport.reports(channel: channel, command: Self.cbor, sent[...]) {
      let effects = link.receive(report[...], at: time)
      for case .start(_, _, let payload) in effects {
        try require([UInt8](payload) == sent, "\(sent.count) bytes came as \(payload.count) others")
      }
      _ = try answers(to: effects)
    }
  }

  /// Opens a channel, which must succeed unless another channel holds the lock.
  mutating func open(mayBeLocked: Bool) throws(Violation) {
    let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    var last: Message?
    for report in HIDReport.reports(channel: HIDReport.broadcast, command: Self.initialize, nonce[...]) {
      last = try answers(to: link.receive(report[...], at: time)).last
    }
    if mayBeLocked, last?.command == Self.error, last?.payload == [Self.channelBusy] { return }
    try require(last?.command == Self.initialize && last?.payload.starts(with: nonce) == true, "no channel was opened")
  }

  private struct Message {
    let command: UInt8
    let payload: [UInt8]
  }

  /// Returns the sent messages, each of consecutive whole packets.
  private mutating func answers(to effects: [HIDLink.Effect]) throws(Violation) -> [Message] {
    var messages: [Message] = []
    for effect in effects {
      switch effect {
      case .send(let reports): messages.append(try message(of: reports))
      case .cancel: try require(isRunning, "a cancellation without a running command")
      case .start(_, _, let payload):
        try require(!isRunning, "a second command was started")
        try require(!payload.isEmpty, "an empty command was started")
        isRunning = true
      }
    }
    return messages
  }

  private func message(of reports: [[UInt8]]) throws(Violation) -> Message {
    guard let head = reports.first.flatMap({ HIDReport($0[...]) }),
      case .beginning(let command, let byteCount, let beginning) = head.content
    else { throw Violation(description: "an answer lacks its initialization packet") }
    var payload = [UInt8](beginning)
    for (index, report) in reports.dropFirst().enumerated() {
      guard let packet = HIDReport(report[...]), packet.channel == head.channel,
        case .continuation(let sequence, let bytes) = packet.content, Int(sequence) == index
      else { throw Violation(description: "packet \(index) does not continue the answer") }
      payload += bytes
    }
    try require(payload.count >= byteCount, "\(byteCount) bytes announced, \(payload.count) sent")
    try require(command != Self.error || byteCount == 1, "an error of \(byteCount) bytes")
    return Message(command: command, payload: [UInt8](payload.prefix(byteCount)))
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnAuthenticator
internal import WireFormats

/// The input is what comes over a USB cable: packets, whole and spoilt, time that passes, and what the device answers
/// meanwhile. Whatever comes, what goes back are whole messages, and no more is carried out at once than one.
func checkReports(_ input: Bytes) throws(Violation) {
  var cable = Cable()
  var reader = ByteReader(input)
  while let event = try? reader.readByte() {
    switch event & 7 {
    case 0, 1, 2:
      // Packets that are cut short by the end of the input are of a length that none has.
      try cable.receive((try? reader.read(HIDReport.byteCount)) ?? reader.readRest())
    case 3: try cable.lapse(Int((try? reader.readByte()) ?? 0))
    case 4: try cable.finish([UInt8](repeating: event, count: Int((try? reader.readUInt16()) ?? 1)))
    case 5: try cable.keepAlive(event)
    case 6: try cable.send(channel: UInt32((try? reader.readByte()) ?? 1), (try? reader.readUInt16()) ?? 0)
    default: try cable.open(mayBeLocked: true)
    }
  }
  // Nothing of it has left the link in a state from which no channel leads, once the longest lock has ended.
  try cable.lapse(2500)
  try cable.open(mayBeLocked: false)
}

/// The link, and what must be so on the other end of it.
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

  mutating func lapse(_ milliseconds: Int) throws(Violation) {
    time += .milliseconds(milliseconds * 4)
    _ = try answers(to: link.lapse(at: time))
    try require(link.deadline.map { $0 > time } ?? true, "a deadline that has passed stays")
  }

  mutating func finish(_ answer: [UInt8]) throws(Violation) {
    guard isRunning else { return }
    isRunning = false
    let reply = answer.prefix(HIDReport.maximumMessageByteCount)
    for message in try answers(to: link.finish(reply)) {
      try require(message.payload == [UInt8](reply), "an answer that is not what was answered")
    }
  }

  mutating func keepAlive(_ status: UInt8) throws(Violation) {
    let messages = try answers(to: link.keepAlive(status))
    try require(messages.isEmpty || isRunning, "a sign of life of nothing")
  }

  /// A whole message arrives as it was sent, or is refused.
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

  /// A channel is opened, unless another one holds the lock.
  mutating func open(mayBeLocked: Bool) throws(Violation) {
    let nonce: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    var last: Message?
    for report in HIDReport.reports(channel: HIDReport.broadcast, command: Self.initialize, nonce[...]) {
      last = try answers(to: link.receive(report[...], at: time)).last
    }
    if mayBeLocked, last?.command == Self.error, last?.payload == [Self.channelBusy] { return }
    try require(last?.command == Self.initialize && last?.payload.starts(with: nonce) == true, "no channel is opened")
  }

  private struct Message {
    let command: UInt8
    let payload: [UInt8]
  }

  /// The messages that are sent, each of whole packets in a row.
  private mutating func answers(to effects: [HIDLink.Effect]) throws(Violation) -> [Message] {
    var messages: [Message] = []
    for effect in effects {
      switch effect {
      case .send(let reports): messages.append(try message(of: reports))
      case .cancel: try require(isRunning, "a cancellation of nothing")
      case .start(_, _, let payload):
        try require(!isRunning, "a second message is started")
        try require(!payload.isEmpty, "a message of nothing is started")
        isRunning = true
      }
    }
    return messages
  }

  private func message(of reports: [[UInt8]]) throws(Violation) -> Message {
    guard let head = reports.first.flatMap({ HIDReport($0[...]) }),
      case .beginning(let command, let byteCount, let beginning) = head.content
    else { throw Violation(description: "an answer that has no beginning") }
    var payload = [UInt8](beginning)
    for (index, report) in reports.dropFirst().enumerated() {
      guard let packet = HIDReport(report[...]), packet.channel == head.channel,
        case .continuation(let sequence, let bytes) = packet.content, Int(sequence) == index
      else { throw Violation(description: "packet \(index) does not go on with the answer") }
      payload += bytes
    }
    try require(payload.count >= byteCount, "\(byteCount) bytes announced, \(payload.count) sent")
    try require(command != Self.error || byteCount == 1, "an error of \(byteCount) bytes")
    return Message(command: command, payload: [UInt8](payload.prefix(byteCount)))
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
package import PasskeyFormats
internal import PasskeySystem

// An event (linux/uhid.h), in the byte order of the machine. The kernel pads what it reads with zeros:
//   type (4) | the type's members, without gaps
// create   name (128) | phys (64) | uniq (64) | rd_size (2) | bus (2) | vendor (4) | product (4) | version (4) | country (4)
//          | rd_data (at most 4096)
// output   data (4096) | size (2) | rtype (1)
// input    size (2) | data (at most 4096)
// get or set report     id (4) | …
// reply to get report   id (4) | err (2) | size (2) | data
// reply to set report   id (4) | err (2)

/// A security key that Linux's programs see as one on USB, through the kernel's /dev/uhid.
///
/// The kernel unplugs the key when the object is released or the process ends.
package final class VirtualUSBKey: Transport {
  /// The kernel's device file.
  package static let path = "/dev/uhid"

  /// The name of the USB product.
  static let name = "Software authenticator (passkey)"

  /// pid.codes lets any project use these numbers for tests.
  static let vendor: UInt32 = 0x1209
  static let product: UInt32 = 0x0001

  private let file: OpenFile

  /// Plugs the key in.
  ///
  /// - Throws: `transport.cannot-plug-in`.
  package convenience init() throws(TransportError) {
    try self.init(owning: try Self.open())
  }

  /// Plugs the key in through an open device file.
  init(owning file: OpenFile) throws(TransportError) {
    self.file = file
    try mapError(file.write(Self.creation)) { (error: SystemError) in TransportError(.cannotPlugIn, error) }
  }

  /// Opens the kernel's device file, without plugging a key in.
  ///
  /// - Throws: `transport.cannot-plug-in`.
  package static func checkAccess() throws(TransportError) {
    _ = try open()
  }

  private static func open() throws(TransportError) -> OpenFile {
    try mapError(OpenFile(path, .readingAndWriting)) { (error: SystemError) in TransportError(.cannotPlugIn, error) }
  }

  /// Waits for the next report. The other events tell which programs use the key, and need no response.
  ///
  /// - Throws: `transport.broken-frame` for an event that is too short, or `transport.read-failed`.
  package func receive(waitingAtMost limit: Duration?) throws(TransportError) -> Received {
    let deadline = limit.map { (limit) in ContinuousClock.now + limit }
    while true {
      if let deadline, !file.descriptor.wait(for: .reading, until: deadline) { return .nothing }
      do throws(SystemError) {
        let event = try file.descriptor.read(upTo: Self.eventByteCount)
        if event.isEmpty { return .end }
        if let frame = try take(event) { return .frame(frame) }
      } catch {
        throw TransportError(.readFailed, error)
      }
    }
  }

  /// Sends a report, which is `payload`. `head` is the frame's type.
  ///
  /// - Throws: `transport.write-failed`.
  package func send(_ head: [UInt8], _ payload: some ByteSource) throws(TransportError) {
    var event = EventWriter(.input)
    event.write(UInt16(clamping: payload.count))
    event.bytes += payload.slice
    try mapError(file.write(event.bytes)) { (error: SystemError) in TransportError(.writeFailed, error) }
  }

  /// Returns the frame of a report. Answers requests for feature reports, which the device does not have.
  private func take(_ event: [UInt8]) throws(SystemError) -> Bytes? {
    guard let type: UInt32 = Self.number(at: 0, in: event) else { return nil }
    switch EventType(rawValue: type) {
    case .output:
      // The first byte is the report's number, which is zero because the device has only one report.
      guard let count: UInt16 = Self.number(at: 4 + Self.dataByteCount, in: event), count > 1,
        count <= Self.dataByteCount
      else { return nil }
      return [FrameType.report] + event[5..<4 + Int(count)]
    case .getReport, .setReport:
      guard let id: UInt32 = Self.number(at: 4, in: event) else { return nil }
      let isGet = type == EventType.getReport.rawValue
      var reply = EventWriter(isGet ? .getReportReply : .setReportReply)
      reply.write(id)
      reply.write(Self.inputOutputError)
      if isGet { reply.write(UInt16(0)) }
      try file.write(reply.bytes)
      return nil
    default: return nil
    }
  }

  // EIO (errno.h)
  private static let inputOutputError: UInt16 = 5

  // UHID_DATA_MAX; the longest event is the one that creates a device.
  private static let dataByteCount = 4096
  private static let eventByteCount = 4 + 280 + dataByteCount

  private static func number<Number: FixedWidthInteger>(at index: Int, in event: [UInt8]) -> Number? {
    guard event.count >= index + MemoryLayout<Number>.size else { return nil }
    return unsafe event.withUnsafeBytes { (event) in
      unsafe event.loadUnaligned(fromByteOffset: index, as: Number.self)
    }
  }

  private static let creation: [UInt8] = {
    var event = EventWriter(.create)
    for (text, capacity) in [(name, 128), ("", 64), ("", 64)] {
      event.bytes += Array(text.utf8) + [UInt8](repeating: 0, count: capacity - text.utf8.count)
    }
    event.write(UInt16(reportDescriptor.count))
    event.write(UInt16(3))  // BUS_USB (linux/input.h)
    for number in [vendor, product, 0, 0] { event.write(number) }
    event.bytes += reportDescriptor
    return event.bytes
  }()

  /// One input and one output report of 64 bytes on the FIDO usage page (CTAP 2.3 §11.2.8.2).
  static let reportDescriptor: [UInt8] = [
    0x06, 0xd0, 0xf1,  // usage page: FIDO alliance
    0x09, 0x01,  // usage: authenticator
    0xa1, 0x01,  // collection: application
    0x09, 0x20,  // usage: data in
    0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 0x40,  // 64 numbers of 8 bits, from 0 to 255
    0x81, 0x02,  // input
    0x09, 0x21,  // usage: data out
    0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, 0x40,
    0x91, 0x02,  // output
    0xc0,  // end of the collection
  ]
}

/// The types of events that the key handles (`enum uhid_event_type`).
private enum EventType: UInt32 {
  case output = 6
  case getReport = 9
  case getReportReply = 10
  case create = 11
  case input = 12
  case setReport = 13
  case setReportReply = 14
}

/// Writes an event.
private struct EventWriter {
  var bytes: [UInt8] = []

  init(_ type: EventType) {
    write(type.rawValue)
  }

  mutating func write(_ number: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: number) { (number) in unsafe bytes.append(contentsOf: number) }
  }
}

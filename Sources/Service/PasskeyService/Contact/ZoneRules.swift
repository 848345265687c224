// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeySystem

// file   = header block header block LF rule LF                                            (RFC 9636 §3)
// header = "TZif" version[1] unused[15] utcs[4] standards[4] leaps[4] times[4] types[4] nameBytes[4]
// block  = *time *type[1] *(offset[4] isSummer[1] name[1]) *name *leap *standard *utc
// rule   = name time [name [time] "," change "," change]                                   (POSIX, TZ)
// change = "M" month "." week "." day ["/" time]
// time   = ["+" / "-"] hours [":" minutes [":" seconds]]

/// The rules of a time zone, from the system's files. Foundation has zones only together with ICU, and the C library only
/// one for the whole process.
package struct ZoneRules: Sendable {
  /// A difference from UTC.
  private struct Offset: Sendable {
    var seconds: Int64
    /// An abbreviation such as `CEST`, or digits.
    var name: String
  }

  private let first: Offset
  private let transitions: [(start: Int64, offset: Offset)]
  /// The rule from the last transition on.
  private let rule: Rule?

  // 64 bytes [the longest name of the IANA database has 32]; 64 KiB [the largest file has some 4 KiB]
  private static let maximumNameLength = 64
  private static let maximumByteCount = 1 << 16

  /// Reads a zone by its name in the IANA database, such as `Europe/Berlin`. Returns nil if the system has none.
  package init?(named name: String) {
    // Other files beside the zones have names in lower case or with dots.
    guard 1...Self.maximumNameLength ~= name.utf8.count, "A"..."Z" ~= name.first ?? " ",
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/_+-".contains($0)) }),
      let bytes = try? OpenFile("/usr/share/zoneinfo/\(name)", .reading).readToEnd(limit: Self.maximumByteCount)
    else { return nil }
    self.init(parsing: bytes)
  }

  /// Parses a file.
  init?(parsing bytes: [UInt8]) {
    do {
      var reader = ByteReader(bytes)
      guard let old = try Header(&reader), old.version >= UInt8(ascii: "2") else { return nil }
      _ = try reader.read(old.byteCount(timeLength: 4))
      guard let header = try Header(&reader) else { return nil }
      var times: [Int64] = []
      for _ in 0..<header.times { times.append(Int64(bitPattern: try reader.readUInt64())) }
      let places = try reader.read(header.times)
      var types: [(seconds: Int64, name: Int)] = []
      for _ in 0..<header.types {
        let seconds = Int64(Int32(bitPattern: try reader.readUInt32()))
        _ = try reader.readByte()
        types.append((seconds, Int(try reader.readByte())))
      }
      let names = try reader.read(header.nameBytes)
      _ = try reader.read(header.leaps * 12 + header.standards + header.utcs)
      guard !types.isEmpty, places.allSatisfy({ $0 < types.count }) else { return nil }
      let offsets = types.map { (type) in
        Offset(
          seconds: type.seconds, name: String(decoding: names.dropFirst(type.name).prefix { $0 != 0 }, as: UTF8.self))
      }
      first = offsets[0]
      transitions = zip(times, places).map { (time, place) in (time, offsets[Int(place)]) }
      rule = Rule(String(decoding: reader.readRest(), as: UTF8.self).filter { !$0.isNewline })
    } catch {
      return nil
    }
  }

  /// Returns the time that clocks of the zone show, as if it were UTC, and the name of its difference from UTC.
  package func local(_ time: UnixTime) -> (time: UnixTime, zone: String) {
    let offset = offset(at: time.secondsSince1970)
    let minutes = Int(offset.seconds.magnitude / 60)
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    let isNamed = offset.name.allSatisfy(\.isLetter)
    return (
      time + .seconds(offset.seconds), isNamed ? offset.name : "UTC\(offset.seconds < 0 ? "-" : "+")\(digits)"
    )
  }

  private func offset(at time: Int64) -> Offset {
    guard let last = transitions.last, time < last.start else {
      return rule?.offset(at: time) ?? transitions.last?.offset ?? first
    }
    return transitions.last { $0.start <= time }?.offset ?? first
  }

  private struct Header {
    let version: UInt8
    let utcs, standards, leaps, times, types, nameBytes: Int

    init?(_ reader: inout ByteReader) throws(WireError) {
      guard try reader.read(4).elementsEqual("TZif".utf8) else { return nil }
      version = try reader.readByte()
      _ = try reader.read(15)
      utcs = Int(try reader.readUInt32())
      standards = Int(try reader.readUInt32())
      leaps = Int(try reader.readUInt32())
      times = Int(try reader.readUInt32())
      types = Int(try reader.readUInt32())
      nameBytes = Int(try reader.readUInt32())
    }

    /// The length of the block that follows.
    func byteCount(timeLength: Int) -> Int {
      times * (timeLength + 1) + types * 6 + nameBytes + leaps * (timeLength + 4) + standards + utcs
    }
  }
}

extension ZoneRules {
  /// The rule for all times after the transitions of a file.
  private struct Rule {
    private let standard: Offset
    private let summer: (offset: Offset, start: Change, end: Change)?

    init?(_ text: String) {
      var reader = RuleReader(rest: text[...])
      // POSIX counts west of Greenwich.
      guard let name = reader.readName(), let west = reader.readTime() else { return nil }
      standard = Offset(seconds: -west, name: name)
      guard let name = reader.readName() else {
        guard reader.rest.isEmpty else { return nil }
        summer = nil
        return
      }
      let seconds = reader.readTime().map { -$0 } ?? standard.seconds + 3_600
      guard let start = reader.readChange(), let end = reader.readChange(), reader.rest.isEmpty else { return nil }
      summer = (Offset(seconds: seconds, name: name), start, end)
    }

    func offset(at time: Int64) -> Offset {
      guard let summer,
        let year = (UnixTime(secondsSince1970: time) + .seconds(standard.seconds)).rfc3339.flatMap({ Int($0.prefix(4)) }
        ),
        let start = summer.start.time(in: year), let end = summer.end.time(in: year)
      else { return standard }
      let (from, to) = (start - standard.seconds, end - summer.offset.seconds)
      // South of the equator the summer begins in one year and ends in the next.
      let isSummer = from < to ? from..<to ~= time : !(to..<from ~= time)
      return isSummer ? summer.offset : standard
    }
  }

  /// A yearly change on a day of the week, of which the fifth is the last one of its month.
  private struct Change {
    let month, week, day: Int
    let seconds: Int64

    /// The time in a year by the zone's clocks before the change.
    func time(in year: Int) -> Int64? {
      let next = month == 12 ? (year + 1, 1) : (year, month + 1)
      guard let first = UnixTime(year: year, month: month, day: 1)?.secondsSince1970,
        let end = UnixTime(year: next.0, month: next.1, day: 1)?.secondsSince1970
      else { return nil }
      // 1970-01-01 was a Thursday.
      let weekday = ((first / 86_400 + 4) % 7 + 7) % 7
      var found = first + Int64(((day - Int(weekday)) + 7) % 7 + (week - 1) * 7) * 86_400
      if found >= end { found -= 7 * 86_400 }
      return found + seconds
    }
  }

  private struct RuleReader {
    var rest: Substring

    private mutating func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func readNumber(_ range: ClosedRange<Int>) -> Int? {
      let digits = rest.prefix { "0"..."9" ~= $0 }
      rest = rest.dropFirst(digits.count)
      return Int(digits).flatMap { range ~= $0 ? $0 : nil }
    }

    mutating func readName() -> String? {
      let isQuoted = take("<")
      let name = rest.prefix { isQuoted ? $0 != ">" : $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(name.count)
      return name.isEmpty || isQuoted && !take(">") ? nil : String(name)
    }

    mutating func readTime() -> Int64? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hours = readNumber(0...167) else { return nil }
      var seconds = hours * 3_600
      for unit in [60, 1] where take(":") {
        guard let number = readNumber(0...59) else { return nil }
        seconds += number * unit
      }
      return Int64(isNegative ? -seconds : seconds)
    }

    mutating func readChange() -> Change? {
      guard take(","), take("M"), let month = readNumber(1...12), take("."), let week = readNumber(1...5), take("."),
        let day = readNumber(0...6)
      else { return nil }
      guard take("/") else { return Change(month: month, week: week, day: day, seconds: 7_200) }
      return readTime().map { Change(month: month, week: week, day: day, seconds: $0) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A running program of this build that replies to each line on its standard input with a line on its standard output.
public final class LineProcess {
  /// The program stopped replying.
  public struct Silent: Error {
    /// Its name.
    public let program: String
  }

  private let name: String
  private let program: PipedProgram

  /// Starts a program by its name.
  public init(_ program: String) throws {
    name = program
    self.program = try PipedProgram(program)
  }

  /// Sends a line and waits for the reply.
  public func answer(to line: [UInt8]) throws -> [UInt8] {
    let sent = line + [UInt8(ascii: "\n")]
    guard unsafe write(program.input, sent, sent.count) == sent.count else { throw Silent(program: name) }
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(program.output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return answer }
      answer.append(byte)
    }
    throw Silent(program: name)
  }
}

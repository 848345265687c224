// SPDX-License-Identifier: Apache-2.0

/// Standard output: data, and nothing but data.
package enum Output {
  package static func write(_ text: String) throws(CommandFailure) {
    try write([UInt8](text.utf8))
  }

  package static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(SystemError) {
      try FileDescriptor.standardOutput.write(bytes)
    } catch {
      throw .inputOutput("cannot write to standard output: \(error.message.lowercased())")
    }
  }
}

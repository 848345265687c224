// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The running program.
package enum OwnProgram {
  /// The path of its executable.
  package static var path: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
    return String(decoding: path.prefix(max(0, count)).map { (byte) in UInt8(bitPattern: byte) }, as: UTF8.self)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder with the test runner and the other built programs.
public let builtProgramsFolder: String = {
  var path = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = unsafe readlink("/proc/self/exe", &path, path.count - 1)
  let text = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return text.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
}()

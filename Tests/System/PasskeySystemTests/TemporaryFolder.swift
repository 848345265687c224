// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A new folder, deleted with its content when it is released.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/passkey-system-io.XXXXXX".utf8CString)
    let isMade = unsafe mkdtemp(&template) != nil
    precondition(isMade, "the temporary folder cannot be created")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    if let folder = unsafe opendir(path) {
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { (bytes) in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        unsafe unlink("\(path)/\(name)")
      }
      unsafe closedir(folder)
    }
    unsafe rmdir(path)
  }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
}

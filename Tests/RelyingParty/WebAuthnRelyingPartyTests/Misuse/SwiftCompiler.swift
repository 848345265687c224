// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyTestSupport

/// The Swift compiler, with the modules that were built beside these tests.
enum SwiftCompiler {
  /// Compiles a file up to its diagnostics and returns the compiler's output, which is empty for a valid program.
  ///
  /// The compiler detects a value that is consumed twice only when it generates SIL, so `-typecheck` is not enough.
  static func diagnostics(of source: String) async throws -> String {
    try await waiting {
      let folder = try TemporaryFolder()
      let file = "\(folder.path)/Program.swift"
      try File.write([UInt8](source.utf8), to: file)
      let options = [
        "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
        "-I", "\(builtProgramsFolder)/Modules", "-I", "\(projectFolder)/Sources/RelyingParty/CPasskeyOpenSSL",
        "-module-cache-path", "\(builtProgramsFolder)/ModuleCache",
      ]
      let words = ([path] + options + [file]).map { "'\($0)'" }
      return try Shell.run(words.joined(separator: " "), in: folder.path)
    }
  }

  /// The compiler of the toolchain that runs these tests, or otherwise the one in the shell's path.
  private static let path: String = {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/\(getppid())/exe", &target, target.count - 1)
    let text = String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let besideParent = text.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let candidate = "\(besideParent)/swiftc"
    return unsafe access(candidate, X_OK) == 0 ? candidate : "swiftc"
  }()
}

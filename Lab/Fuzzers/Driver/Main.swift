// SPDX-License-Identifier: Apache-2.0

internal import CLibFuzzer
internal import CodecProperties

/// Usage: `Fuzzers CODEC [libFuzzer arguments]`. SwiftPM names the main function of an executable after its module.
@_cdecl("Fuzzers_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  guard count > 1, var names = unsafe arguments, let name = unsafe names[1],
    let codec = unsafe Codec(rawValue: String(cString: name))
  else {
    print(Codec.allCases.map(\.rawValue).joined(separator: "\n"))
    return 2
  }
  unsafe chosen = codec
  // libFuzzer gets only its own arguments, after the program name.
  unsafe names[1] = names[0]
  unsafe names += 1
  var rest = count - 1
  var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe names
  return unsafe LLVMFuzzerRunDriver(&rest, &list) { (data, count) in
    do {
      try unsafe chosen.check(Array(UnsafeBufferPointer(start: data, count: count)))
    } catch {
      fatalError("\(error)")
    }
    return 0
  }
}

/// Set once before the first input. libFuzzer's C callback takes no context.
nonisolated(unsafe) private var chosen = Codec.cbor

// SPDX-License-Identifier: Apache-2.0

internal import CLibFuzzer
internal import WireFormats

/// `Fuzzers TARGET [libFuzzer's own arguments]`. SwiftPM names an executable's main for its module.
@_cdecl("Fuzzers_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
  guard count > 1, var names = unsafe arguments, let name = unsafe names[1],
    let target = unsafe FuzzTarget(rawValue: String(cString: name))
  else {
    print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
    return 2
  }
  unsafe chosen = target
  // libFuzzer sees its own arguments only, behind the name of the program.
  unsafe names[1] = names[0]
  unsafe names += 1
  var rest = count - 1
  var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe names
  return unsafe LLVMFuzzerRunDriver(&rest, &list) { (data, count) in
    unsafe chosen.check(UnsafeBufferPointer(start: data, count: count))
    return 0
  }
}

/// Set once, before the first input; a C function can be given nothing else to remember it by.
nonisolated(unsafe) private var chosen = FuzzTarget.cbor

extension FuzzTarget {
  /// Other bytes lie around the input, so that a parser which leaves its slice, or believes that it begins at zero,
  /// is found out.
  fileprivate func check(_ data: UnsafeBufferPointer<UInt8>) {
    let padding: [UInt8] = [0x5a, 0x5a, 0x5a]
    let whole = unsafe padding + data + padding
    property(whole[padding.count..<whole.count - padding.count])
  }
}

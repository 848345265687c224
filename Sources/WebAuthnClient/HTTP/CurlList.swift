// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// A list of texts as libcurl takes it, freed with its owner.
@safe final class CurlList {
  private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  /// Copies texts; nil where there is no memory left.
  init?(_ texts: [String]) {
    for text in texts {
      guard let longer = unsafe curl_slist_append(pointer, text) else { return nil }
      unsafe pointer = longer
    }
  }

  /// Takes over a list that libcurl made.
  init(taking pointer: UnsafeMutablePointer<curl_slist>?) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe curl_slist_free_all(pointer)
  }

  /// The texts.
  var texts: [String] {
    var texts: [String] = []
    var next = unsafe pointer
    while let entry = unsafe next {
      if let data = unsafe entry.pointee.data { texts.append(unsafe String(cString: data)) }
      unsafe next = entry.pointee.next
    }
    return texts
  }
}

// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnClient

struct ClientErrorTests {
  @Test(arguments: ClientError.Code.allCases)
  func everyCodeHasTheNameOfAnException(_ code: ClientError.Code) {
    #expect(ClientError(code).domName.hasSuffix("Error"))
  }
}
